import { useState } from "react";
import { get, linkTo } from "../api/client";
import type { AuditEntry, Connection } from "../api/types";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useWorld } from "../app/world";
import { useText } from "../i18n";
import type { Messages } from "../i18n/en";
import { formatNumber, formatSeconds } from "../i18n/format";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { saveAs } from "../ui/copy";
import { Problem } from "../ui/notice";
import { Stack } from "../ui/page";
import { Row } from "../ui/row";
import { Text } from "../ui/text";
import { When } from "../ui/when";
import { PlainTable } from "./plain_table";

/** Ids of conversations, runs and reports say nothing to a reader; names of people, groups and files do. */
const OPAQUE = /^([0-9a-f]{32}|(?=.*\d)(?=.*[A-Z])[\w-]{20,24})$/;

/** Deeds whose target is a conversation, whose id may look like a name: one in a hundred has no digit. */
const OF_AN_ID = /^query\./;

/** Deeds whose target is a word of the program's own. */
const SPOKEN = /^(feedback|grants)\./;

/** What was done in words: who was not let in did not sign in. */
export function deedOf(entry: Pick<AuditEntry, "action" | "outcome">, t: Messages): string {
  const failed = entry.action === "auth.login" && entry.outcome !== "ok";
  return failed ? t.settings.signInFailed : (t.settings.deeds[entry.action] ?? entry.action);
}

/** The name of a database; one that was removed has its id left alone. */
export function databaseOf(id: string, connections: Pick<Connection, "id" | "name">[]): string {
  return connections.find((each) => each.id === id)?.name ?? id;
}

/** What was done, and to what; pointed at, the statement or the code and the id. */
function Deed({ entry }: { entry: AuditEntry }) {
  const t = useText();
  const told = SPOKEN.test(entry.action) ? t.settings.targets : {};
  const words = OF_AN_ID.test(entry.action) ? [] : entry.target.split(" ").filter((word) => !OPAQUE.test(word));
  const target = words.map((word) => told[word] ?? word).join(" ");
  const whole = entry.sql ?? [entry.action, entry.target].filter(Boolean).join(" · ");
  return <span title={whole}>{[deedOf(entry, t), target].filter(Boolean).join(" · ")}</span>;
}

/** Who did what, the newest first. */
export function Audit() {
  const t = useText();
  const { language } = usePreferences();
  const { connections } = useWorld();
  const [before, setBefore] = useState<number[]>([]);
  const last = before.at(-1);
  const page = useLoad(`audit ${last ?? ""}`, () => get("/audit", { query: { limit: 50, before: last } }));
  if (page.error) return <Problem error={page.error} onRetry={page.reload} />;
  if (!page.data) return <Text muted>{t.app.loading}</Text>;
  const next = page.data.next;
  return (
    <Stack>
      <Row end>
        <Button
          kind="quiet"
          icon="download"
          onClick={() => saveAs(linkTo("/audit/export", { query: { format: "csv" } }), "audit.csv")}
        >
          {t.answer.export}
        </Button>
      </Row>
      <PlainTable
        label={t.settings.audit}
        head={[
          t.settings.when,
          t.settings.who,
          t.settings.what,
          t.data.title,
          t.settings.outcome,
          t.settings.rows,
          t.drawer.time,
        ]}
        rows={page.data.entries.map((entry) => [
          <When at={entry.at} />,
          entry.user_name || entry.user_id,
          <Deed entry={entry} />,
          <span title={entry.connection_id}>{databaseOf(entry.connection_id, connections)}</span>,
          <Badge kind={entry.outcome === "ok" ? "good" : ""}>
            <span title={entry.outcome}>{t.settings.outcomes[entry.outcome] ?? t.settings.outcomes.failed}</span>
          </Badge>,
          entry.rows === null ? "" : formatNumber(entry.rows, language),
          entry.ms === null ? "" : formatSeconds(entry.ms, language),
        ])}
        numbers={5}
      />
      <Row end>
        <Button disabled={!before.length} onClick={() => setBefore(before.slice(0, -1))}>
          {t.settings.newer}
        </Button>
        <Button disabled={next === null} onClick={() => next !== null && setBefore([...before, next])}>
          {t.settings.olderEntries}
        </Button>
      </Row>
    </Stack>
  );
}
