import { useState } from "react";
import { get, post, remove } from "../api/client";
import type { Join, TableInfo } from "../api/types";
import { useMay } from "../app/identity";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { go, Link, useTitle } from "../app/route";
import { useWorld } from "../app/world";
import { ConnectionForm } from "../connections/connection_form";
import { useText } from "../i18n";
import { formatNumber } from "../i18n/format";
import { ButtonLink } from "../ui/button";
import { Select } from "../ui/field";
import { FormDialog } from "../ui/form_dialog";
import { Icon } from "../ui/icons";
import { Menu } from "../ui/menu";
import { notify, Problem, useAttempt } from "../ui/notice";
import { Page } from "../ui/page";
import { PageHead } from "../ui/page_head";
import { SearchBox } from "../ui/search_box";
import { Split, SplitSide } from "../ui/split";
import { Tabs } from "../ui/tabs";
import { Empty, Text } from "../ui/text";
import { said, useGlossary, type Descriptions } from "./described";
import { Diagram, MOST_DRAWN } from "./diagram";
import { FirstLook } from "./first_look";
import { ReadingProgress, useReading } from "./reading_progress";
import { TableView } from "./table_view";

const MOST_TABLES = 1000;

/** The databases, and what is in each. */
export default function DataPage({ connection, table }: { connection?: string; table?: string }) {
  const t = useText();
  const { connections, connection: preferred } = useWorld();
  useTitle(t.data.title);
  if (connection === "new") {
    return (
      <Page narrow>
        <PageHead title={t.connections.add} />
        <ConnectionForm />
      </Page>
    );
  }
  const id = connection ?? connections.find((each) => each.id === preferred)?.id ?? connections[0]?.id;
  return id ? (
    <Database key={id} id={id} table={table} />
  ) : (
    <Page as="p" muted>
      {t.app.loading}
    </Page>
  );
}

function Database({ id, table }: { id: string; table?: string }) {
  const t = useText();
  const world = useWorld();
  const attempt = useAttempt();
  const may = useMay();
  const [words, setWords] = useState("");
  const [view, setView] = useState<"look" | "tables" | "diagram">(table ? "tables" : "look");
  const [busy, setBusy] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const search = words.trim() || undefined;
  const tables = useLoad(`tables ${id} ${search ?? ""}`, () =>
    get("/connections/{connection_id}/tables", { path: { connection_id: id }, query: { limit: MOST_TABLES, search } }),
  );
  const glossary = useGlossary(id);
  const joins = useLoad(`joins ${id}`, () =>
    get("/connections/{connection_id}/joins", { path: { connection_id: id } }),
  );
  const reading = useReading(id, () => void Promise.all([tables.reload(), joins.reload()]));
  const known = world.connections.find((each) => each.id === id);
  const choose = (name: string) => {
    go(`/data/${encodeURIComponent(id)}/${encodeURIComponent(name)}`);
    setView("tables");
  };
  const reread = async () => {
    setBusy(true);
    await attempt(async () => {
      const found = await post("/connections/{connection_id}/refresh", { path: { connection_id: id } });
      notify(t.data.reread_done(found.added.length, found.changed.length, found.dropped.length));
      await Promise.all([tables.reload(), joins.reload()]);
    });
    setBusy(false);
  };
  const forget = async () => {
    await remove("/connections/{connection_id}", { path: { connection_id: id } });
    await world.reload.connections();
    go("/data");
  };
  return (
    <Page wide>
      <PageHead title={t.data.title} lead={t.data.lead}>
        <Select
          hidden
          label={t.chat.database}
          value={id}
          onChange={(next) => go(`/data/${encodeURIComponent(next)}`)}
          choices={world.connections.map((each) => ({ value: each.id, label: `${each.name} (${each.engine})` }))}
        />
        {may("connections") && (
          <ButtonLink as={Link} href="/data/new" kind="primary">
            <Icon name="plus" size={16} />
            <span>{t.connections.add}</span>
          </ButtonLink>
        )}
        <Menu
          label={t.app.more}
          items={[
            ...(may("refresh")
              ? [
                  {
                    label: busy ? t.data.rereading : t.data.reread,
                    icon: "retry" as const,
                    onSelect: () => void reread(),
                  },
                ]
              : []),
            { label: t.nav.ask, icon: "plus" as const, onSelect: () => (world.chooseConnection(id), go("/")) },
            ...(may("connections") && id !== "demo"
              ? [{ label: t.app.remove, icon: "trash" as const, danger: true, onSelect: () => setLeaving(true) }]
              : []),
          ]}
        >
          <Icon name="more" />
        </Menu>
      </PageHead>
      {reading && <ReadingProgress reading={reading} />}
      {tables.error ? (
        <Problem error={tables.error} onRetry={tables.reload} />
      ) : (
        <Tabs
          label={t.data.view}
          value={view}
          onChange={setView}
          tabs={[
            {
              name: "look",
              label: t.firstLook.title,
              icon: "text",
              // What was known of half the tables is looked at anew when all have been read.
              content: () => <FirstLook key={reading ? "reading" : "read"} connection={id} onChoose={choose} />,
            },
            {
              name: "tables",
              label: t.data.tables,
              icon: "table",
              content: () => (
                <Split>
                  <TableList
                    words={words}
                    onWords={setWords}
                    tables={tables.data?.tables}
                    total={tables.data?.total ?? 0}
                    descriptions={glossary.data?.tables}
                    chosen={table}
                    onChoose={choose}
                  />
                  <div>
                    {table ? (
                      <TableView
                        key={table}
                        connection={id}
                        table={table}
                        glossary={glossary}
                        mayEdit={may("glossary")}
                        onChoose={choose}
                      />
                    ) : (
                      <Empty>{t.data.choose}</Empty>
                    )}
                  </div>
                </Split>
              ),
            },
            {
              name: "diagram",
              label: t.data.diagram,
              icon: "diagram",
              content: () =>
                joins.data ? (
                  <DrawnTables connection={id} joins={joins.data} chosen={table} onChoose={choose} />
                ) : (
                  <Text muted>{t.app.loading}</Text>
                ),
            },
          ]}
        />
      )}
      {leaving && (
        <FormDialog danger title={t.app.remove} action={t.app.remove} onClose={() => setLeaving(false)} onSend={forget}>
          <p>{t.connections.remove(known?.name ?? id)}</p>
        </FormDialog>
      )}
    </Page>
  );
}

type DrawnProps = { connection: string; joins: Join[]; chosen?: string; onChoose: (name: string) => void };

/** The diagram needs the columns of every table, which a list does without. */
function DrawnTables({ connection, ...rest }: DrawnProps) {
  const t = useText();
  const tables = useLoad(`drawn ${connection}`, () =>
    get("/connections/{connection_id}/tables", {
      path: { connection_id: connection },
      query: { limit: MOST_DRAWN, columns: true },
    }),
  );
  if (tables.error) return <Problem error={tables.error} onRetry={tables.reload} />;
  if (!tables.data) return <Text muted>{t.app.loading}</Text>;
  return <Diagram tables={tables.data.tables} {...rest} />;
}

function TableList({
  words,
  onWords,
  tables,
  total,
  descriptions,
  chosen,
  onChoose,
}: {
  words: string;
  onWords: (words: string) => void;
  tables?: TableInfo[];
  total: number;
  descriptions?: Descriptions;
  chosen?: string;
  onChoose: (name: string) => void;
}) {
  const t = useText();
  const { language } = usePreferences();
  return (
    <SplitSide>
      <SearchBox label={t.data.searchTables} value={words} onText={onWords} />
      {tables && tables.length < total && (
        <Text muted small>
          {t.data.firstTables(formatNumber(tables.length, language), formatNumber(total, language))}
        </Text>
      )}
      {tables && !tables.length && (
        <Text muted small>
          {t.data.noTables}
        </Text>
      )}
      <ul>
        {tables?.map((each) => (
          <li key={each.name}>
            <button
              type="button"
              aria-current={each.name === chosen ? "true" : undefined}
              onClick={() => onChoose(each.name)}
            >
              <span>{each.name}</span>
              <small>{said(descriptions?.[each.name]?.description, language) || each.comment}</small>
            </button>
          </li>
        ))}
      </ul>
    </SplitSide>
  );
}
