import { useState } from "react";
import { go, useTitle } from "../app/route";
import { useWorld } from "../app/world";
import { useText } from "../i18n";
import { Select } from "../ui/field";
import { Page } from "../ui/page";
import { PageHead } from "../ui/page_head";
import { Tabs } from "../ui/tabs";
import { GlossaryEditor } from "./glossary_editor";
import { SamplesEditor } from "./samples_editor";

/** What people taught about a database: samples with their review, and the glossary. */
export default function KnowledgePage({ section }: { section?: string }) {
  const t = useText();
  const { connections, connection, chooseConnection } = useWorld();
  const view = section === "glossary" ? "glossary" : "samples";
  const [chosen, setChosen] = useState("");
  const id = chosen || connections.find((each) => each.id === connection)?.id || connections[0]?.id;
  useTitle(t.knowledge.title);
  if (!id)
    return (
      <Page as="p" muted>
        {t.app.loading}
      </Page>
    );
  const change = (next: string) => {
    setChosen(next);
    chooseConnection(next);
  };
  return (
    <Page wide>
      <PageHead title={t.knowledge.title} lead={t.knowledge.lead}>
        <Select
          hidden
          label={t.chat.database}
          value={id}
          onChange={change}
          choices={connections.map((each) => ({ value: each.id, label: each.name }))}
        />
      </PageHead>
      <Tabs
        label={t.knowledge.title}
        value={view}
        onChange={(name) => go(`/knowledge/${name}`, { replace: true })}
        tabs={[
          {
            name: "samples",
            label: t.knowledge.samples,
            icon: "shield",
            content: () => <SamplesEditor key={id} connection={id} />,
          },
          {
            name: "glossary",
            label: t.knowledge.glossary,
            icon: "book",
            content: () => <GlossaryEditor key={id} connection={id} />,
          },
        ]}
      />
    </Page>
  );
}
