import { useIdentity, useMay } from "../app/identity";
import { go, useTitle } from "../app/route";
import { useText } from "../i18n";
import { Page } from "../ui/page";
import { PageHead } from "../ui/page_head";
import { Tabs, type Tab } from "../ui/tabs";
import { Audit } from "./audit";
import { General } from "./general";
import { Keys } from "./keys";
import { Model } from "./model";
import { Status } from "./status";
import { Users } from "./users";

type Section = "general" | "model" | "status" | "keys" | "users" | "audit";

export default function SettingsPage({ section }: { section?: string }) {
  const t = useText();
  const may = useMay();
  const { me } = useIdentity();
  useTitle(t.settings.title);
  const tabs: Tab<Section>[] = [
    ...(may("operate")
      ? [{ name: "model" as const, label: t.settings.model, icon: "sparkle" as const, content: () => <Model /> }]
      : []),
    { name: "status", label: t.settings.status, icon: "chart", content: () => <Status /> },
  ];
  // A server that asks nobody has one user, who needs no account and no key.
  if (me.mode === "users")
    tabs.unshift({ name: "general", label: t.settings.account, icon: "person", content: () => <General /> });
  if (me.mode === "users") tabs.push({ name: "keys", label: t.settings.keys, icon: "key", content: () => <Keys /> });
  if (me.mode === "users" && may("users"))
    tabs.push({ name: "users", label: t.settings.users, icon: "person", content: () => <Users /> });
  if (may("audit")) tabs.push({ name: "audit", label: t.settings.audit, icon: "report", content: () => <Audit /> });
  const value = tabs.find((tab) => tab.name === section)?.name ?? tabs[0]!.name;
  return (
    <Page wide>
      <PageHead title={t.settings.title} />
      <Tabs
        label={t.settings.title}
        tabs={tabs}
        value={value}
        onChange={(name) => go(`/settings/${name}`, { replace: true })}
      />
    </Page>
  );
}
