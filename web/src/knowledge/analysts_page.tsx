import { useState } from "react";
import { patch, post, remove } from "../api/client";
import type { Profile, ProfileContent } from "../api/types";
import { useMay } from "../app/identity";
import { prefer } from "../app/preferences";
import { go, useTitle } from "../app/route";
import { useWorld } from "../app/world";
import { useText } from "../i18n";
import { Badge } from "../ui/badge";
import { Button, IconButton } from "../ui/button";
import { Cards, EntryCard } from "../ui/card";
import { Field } from "../ui/field";
import { Check, Pair, Series } from "../ui/form";
import { FormDialog } from "../ui/form_dialog";
import { Page } from "../ui/page";
import { PageHead } from "../ui/page_head";
import { RemoveButton } from "../ui/remove_button";
import { Row } from "../ui/row";
import { Empty, Text } from "../ui/text";
import { listed } from "./glossary";
import styles from "./analysts_page.module.css";

const CHARTS = ["", "auto", "none", "bar", "line", "pie", "scatter"] as const;
const PROSE = ["", "none", "short", "full"] as const;

/** Custom analysts: listed, made, changed, used. */
export default function AnalystsPage() {
  const t = useText();
  const world = useWorld();
  const may = useMay();
  const [editing, setEditing] = useState<Profile | "new" | null>(null);
  useTitle(t.analysts.title);
  const use = (profile: Profile) => {
    prefer({ analyst: profile.id });
    go("/");
  };
  const forget = async (profile: Profile) => {
    await remove("/profiles/{profile_id}", { path: { profile_id: profile.id } });
    await world.reload.profiles();
  };
  return (
    <Page>
      <PageHead title={t.analysts.title} lead={t.analysts.lead}>
        {may("profiles") && (
          <Button kind="primary" icon="plus" onClick={() => setEditing("new")}>
            {t.analysts.add}
          </Button>
        )}
      </PageHead>
      {!world.profiles.length && <Empty>{t.analysts.empty}</Empty>}
      <Cards>
        {world.profiles.map((profile) => (
          <EntryCard key={profile.id}>
            <div>
              <h2>{profile.name}</h2>
              <Text muted className={styles.clipped}>
                {profile.content.prompt}
              </Text>
              <Badge>{t.analysts.version(profile.version)}</Badge>
            </div>
            <Row>
              <Button onClick={() => use(profile)}>{t.analysts.use}</Button>
              {(profile.mine || may("users")) && (
                <>
                  <IconButton
                    icon="edit"
                    label={t.app.colon(t.app.edit) + profile.name}
                    onClick={() => setEditing(profile)}
                  />
                  <RemoveButton what={profile.name} onRemove={() => forget(profile)} />
                </>
              )}
            </Row>
          </EntryCard>
        ))}
      </Cards>
      {editing && <AnalystDialog profile={editing === "new" ? null : editing} onClose={() => setEditing(null)} />}
    </Page>
  );
}

function AnalystDialog({ profile, onClose }: { profile: Profile | null; onClose: () => void }) {
  const t = useText();
  const world = useWorld();
  const [name, setName] = useState(profile?.name ?? "");
  const [content, setContent] = useState<Partial<ProfileContent>>(profile?.content ?? {});
  const [tables, setTables] = useState((profile?.content.tables ?? []).join(", "));
  const chosen = content.connections ?? [];
  const change = (part: Partial<ProfileContent>) => setContent({ ...content, ...part });
  const save = async () => {
    const body = { name: name.trim(), content: { ...content, tables: listed(tables) } };
    await (profile
      ? patch("/profiles/{profile_id}", { path: { profile_id: profile.id }, body })
      : post("/profiles", { body }));
    await world.reload.profiles();
  };
  const choice = (
    label: string,
    key: "chart" | "analysis" | "language",
    values: readonly string[],
    shown: (value: string) => string,
  ) => (
    <Field label={label}>
      {(id) => (
        <select id={id} value={content[key] ?? ""} onChange={(event) => change({ [key]: event.target.value })}>
          {values.map((value) => (
            <option key={value} value={value}>
              {shown(value)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  return (
    <FormDialog
      title={profile ? profile.name : t.analysts.add}
      ready={name.trim() !== ""}
      onClose={onClose}
      onSend={save}
    >
      <Field label={t.analysts.name}>
        {(id) => (
          <input id={id} required maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      <Field label={t.analysts.prompt} help={t.analysts.promptHelp}>
        {(id) => (
          <textarea
            id={id}
            rows={5}
            maxLength={20000}
            value={content.prompt ?? ""}
            onChange={(event) => change({ prompt: event.target.value })}
          />
        )}
      </Field>
      <Series>
        <legend>{t.analysts.databases}</legend>
        {world.connections.map((each) => (
          <Check key={each.id}>
            <input
              type="checkbox"
              checked={chosen.includes(each.id)}
              onChange={(event) =>
                change({
                  connections: event.target.checked
                    ? [...chosen, each.id]
                    : chosen.filter((other) => other !== each.id),
                })
              }
            />
            <span>{each.name}</span>
          </Check>
        ))}
      </Series>
      <Field label={t.analysts.tables}>
        {(id) => <input id={id} value={tables} onChange={(event) => setTables(event.target.value)} />}
      </Field>
      <Pair even>
        {choice(t.analysts.chart, "chart", CHARTS, (value) => t.analysts.charts[value] ?? value)}
        {choice(t.analysts.analysis, "analysis", PROSE, (value) => t.analysts.styles[value] ?? value)}
      </Pair>
      {choice(t.analysts.language, "language", ["", "en", "zh"], (value) =>
        value === "" ? t.analysts.asAsked : value === "en" ? "English" : "中文",
      )}
    </FormDialog>
  );
}
