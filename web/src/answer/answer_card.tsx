import { useMemo, useRef, useState, type ReactNode } from "react";
import { linkTo, post } from "../api/client";
import type { SqlResult } from "../api/types";
import { useMay } from "../app/identity";
import { usePreferences } from "../app/preferences";
import { useMayDownload } from "../app/world";
import { ChartPanel } from "../chart/chart_panel";
import { measures } from "../chart/model";
import type { Correction, Turn } from "../chat/turn";
import { useText } from "../i18n";
import { formatMoment, formatNumber } from "../i18n/format";
import { DataTable } from "../table/data_table";
import { Badge } from "../ui/badge";
import { Button, LinkButton } from "../ui/button";
import { Card } from "../ui/card";
import { fileStem, saveAs } from "../ui/copy";
import { classes } from "../ui/dressed";
import { closeInto } from "../ui/focus";
import { Icon } from "../ui/icons";
import { Warnings } from "../ui/lists";
import { Menu } from "../ui/menu";
import { notify, useAttempt } from "../ui/notice";
import { Spring, Toolbar } from "../ui/row";
import { CardPanel, Tabs, type Tab } from "../ui/tabs";
import { Empty, Text } from "../ui/text";
import { BigNumber, figurePlace } from "./big_number";
import { GradeBadge, ReadAs, Readings } from "./certainty";
import { SmallTable } from "./small_table";
import { SqlPanel } from "./sql_panel";
import { alternativesOf, untold } from "./truth";
import styles from "./answer_card.module.css";

type View = "answer" | "table" | "chart" | "sql";
type Props = {
  turn: Turn;
  connection: string;
  threadId: string;
  mayRun: boolean;
  onRefresh?: () => void;
  /** Asks the question with a part of its reading changed. */
  onAsk?: (question: string) => void;
  actions: ReactNode;
  /** Which reading of the question is shown; 0 is the answer's own. */
  reading: number;
  onReading: (place: number) => void;
  /** How often the statement was asked to be put right: each time it is shown, ready to be changed. */
  fixing?: number;
  /** A person's own statement took the place of the answer's, or was taken back. */
  onCorrected?: (correction: Correction | null) => void;
};

const FORMATS = ["csv", "xlsx", "parquet", "json"] as const;
const WORTH_A_CHART = 3;

/** One answer: what was found in words, as a table, as a chart, and the statement it came from. */
export function AnswerCard({
  turn,
  connection,
  threadId,
  mayRun,
  onRefresh,
  onAsk,
  actions,
  reading,
  onReading,
  fixing = 0,
  onCorrected,
}: Props) {
  const t = useText();
  const { language } = usePreferences();
  const [view, setView] = useState<View>("answer");
  const [began, setBegan] = useState(fixing);
  if (began !== fixing) {
    setBegan(fixing);
    setView("sql");
  }
  const [ran, setRan] = useState<SqlResult | null>(null);
  const [draft, setDraft] = useState("");
  const may = useMay();
  const attempt = useAttempt();
  const answer = turn.answer;
  const mayTake = useMayDownload(connection);
  const other = alternativesOf(answer)[reading - 1];
  const result = ran
    ? { id: ran.result_id, columns: ran.columns, rows: ran.rows, rowCount: ran.row_count, truncated: ran.truncated }
    : other
      ? { id: null, columns: other.columns, rows: other.rows, rowCount: other.rows.length, truncated: null }
      : turn.result;
  const sql = other?.sql ?? answer?.sql ?? turn.attempts.at(-1) ?? "";
  const chart = ran ? ran.chart : other ? null : turn.chart;
  const count =
    result && (result.rowCount === 1 ? t.answer.oneRow : t.answer.rows(formatNumber(result.rowCount, language)));
  const facts = ran || other ? undefined : answer?.facts;
  const open = useMemo(
    () => (facts ?? []).filter((fact) => fact.kind === "unfinished").map((fact) => String(fact.label)),
    [facts],
  );
  const share = facts?.find((fact) => fact.kind === "share_percent")?.column ?? "";
  const label = turn.question || t.answer.tabs.table;

  const change = (next: SqlResult | null, text: string, shown: View) => {
    setRan(next);
    onCorrected?.(next && { sql: text, result: next });
    setDraft(text);
    setView(shown);
  };
  const card = useRef<HTMLDivElement>(null);
  /** The button that was pressed is gone afterwards: the focus goes to the tab that is shown, which comes into view. */
  const changeInView: typeof change = (...given) =>
    closeInto(
      () => change(...given),
      () => card.current?.querySelector<HTMLElement>("[role=tab][aria-selected=true]"),
    );
  /** The statement a person put right, for this question as it was understood. */
  const keep = () =>
    attempt(async () => {
      const pair = { question: answer?.reading.question ?? turn.question, sql: draft };
      await post("/connections/{connection_id}/samples", { path: { connection_id: connection }, body: pair });
      notify(t.answer.kept);
    });
  const table = () =>
    result && (
      <div className={styles.tablePanel}>
        <Toolbar>
          {ran && <Badge>{t.answer.edited}</Badge>}
          <Text as="span" muted>
            {count}, {t.answer.columns(formatNumber(result.columns.length, language))}
          </Text>
          {result.truncated && (
            <Text as="span" muted>
              {t.answer.truncated}
            </Text>
          )}
          <Spring />
          {ran && may("samples") && (
            <Button kind="quiet" icon="star" onClick={() => void keep()}>
              {t.answer.keep}
            </Button>
          )}
          {ran && (
            <Button kind="quiet" onClick={() => changeInView(null, "", "answer")}>
              {t.answer.original}
            </Button>
          )}
          {result.id && mayTake && (
            <Menu
              plain
              label={t.answer.export}

              items={FORMATS.map((format) => ({
                label: t.chart[format],
                onSelect: () =>
                  saveAs(
                    linkTo("/results/{result_id}/export", {
                      path: { result_id: result.id! },
                      query: { format, name: fileStem(turn.question), told: true },
                    }),
                    `${fileStem(turn.question)}.${format}`,
                  ),
              }))}
            >
              <Icon name="download" size={16} />
              <span>{t.answer.export}</span>
            </Menu>
          )}
        </Toolbar>
        {result.rowCount ? (
          <DataTable
            key={result.id}
            label={label}
            columns={result.columns}
            rows={result.rows}
            total={result.rowCount}
            resultId={result.id}
          />
        ) : (
          <Empty>{t.answer.noRows}</Empty>
        )}
      </div>
    );
  const told = other ? other.text : turn.streamed;
  // What was only drawn anew has no facts of its own; a chart that was asked for stands there, however few its bars.
  const redrawn = !ran && !other && answer?.facts.length === 0;
  const hasFigure = result !== null && figurePlace(result, (other ? null : answer)?.facts ?? []) >= 0;
  // What is odd about the rows of a guess that is not shown says nothing to a reader.
  const warnings = answer?.status === "declined" ? [] : untold(answer?.warnings ?? [], told);
  const words = () => (
    <div className={styles.words}>
      {result && <BigNumber result={result} answer={other ? null : answer} connection={connection} />}
      <Prose turn={turn} text={told} below={hasFigure} />
      <ReadAs answer={answer} onAsk={onAsk} />
      <Readings
        answer={answer}
        first={{ label: "", text: turn.streamed, columns: turn.result?.columns ?? [], rows: turn.result?.rows ?? [] }}
        chosen={reading}
        onChoose={onReading}
      />
      {chart && result && (redrawn || chart.data.length >= WORTH_A_CHART) ? (
        <ChartPanel
          bare
          open={open}
          share={share}
          spec={chart}
          columns={result.columns}
          rows={result.rows}
          resultId={result.id}
          connection={connection}
        />
      ) : (
        result &&
        result.rowCount > 1 && (
          <SmallTable
            columns={result.columns}
            rows={result.rows}
            total={result.rowCount}
            label={t.app.colon(t.answer.tabs.table) + label}
            onAll={() => setView("table")}
          />
        )
      )}
      {warnings.length > 0 && (
        <Warnings aria-label={t.chat.warnings}>
          {warnings.map((warning) => (
            <li key={warning}>
              <Icon name="alert" size={14} /> {warning}
            </li>
          ))}
        </Warnings>
      )}
    </div>
  );
  const tabs: Tab<View>[] = [{ name: "answer", label: t.answer.tabs.answer, icon: "text", content: words }];
  if (result) tabs.push({ name: "table", label: t.answer.tabs.table, icon: "table", content: table });
  const drawn = result && result.rowCount > 1 && measures(result.columns, result.rows).length > 0;
  if (result && (chart || drawn) && result.columns.length > 1)
    tabs.push({
      name: "chart",
      label: t.answer.tabs.chart,
      icon: "chart",
      content: () => (
        <ChartPanel
          key={result.id}
          open={open}
          share={share}
          spec={chart}
          columns={result.columns}
          rows={result.rows}
          resultId={result.id}
          connection={connection}
          name={turn.question}
        />
      ),
    });
  if (sql)
    tabs.push({
      name: "sql",
      label: t.answer.tabs.sql,
      icon: "code",
      content: () => (
        <SqlPanel
          key={`${sql} ${fixing}`}
          sql={sql}
          attempts={turn.attempts}
          reading={answer?.reading ?? {}}
          connection={connection}
          question={turn.question}
          threadId={threadId}
          draft={draft}
          onRan={(next, text) => changeInView(next, text, "table")}
          onReset={() => change(null, "", "sql")}
          mayRun={mayRun}
          fixing={fixing > 0}
        />
      ),
    });

  return (
    <Card ref={card}>
      {tabs.length > 1 ? (
        <Tabs
          onCard
          label={label}
          tabs={tabs}
          value={view}
          onChange={setView}
          aside={ran ? null : <Badges turn={turn} />}
        />
      ) : (
        <CardPanel>{words()}</CardPanel>
      )}
      <footer className={styles.cardFoot}>
        {turn.cache?.as_of && turn.cache.level !== "semantic" && (
          <span className={styles.cached}>
            <Icon name="clock" size={15} /> {t.chat.fromCache(formatMoment(turn.cache.as_of, language))}
            {onRefresh && (
              <LinkButton type="button" onClick={onRefresh}>
                {t.chat.refresh}
              </LinkButton>
            )}
          </span>
        )}
        <span className={styles.actions}>{actions}</span>
      </footer>
    </Card>
  );
}

/** The prose, one sentence a line where there are several. */
function Prose({ turn, text, below }: { turn: Turn; text: string; below: boolean }) {
  const t = useText();
  if (text) return <p className={classes(styles.prose, below && styles.below)}>{text}</p>;
  return turn.phase === "running" ? <Text muted>{t.chat.thinking}</Text> : null;
}

/** How sure the answer is; a person may have verified this very question. */
function Badges({ turn }: { turn: Turn }) {
  const asked = (turn.answer?.reading.question ?? turn.question).trim().toLowerCase();
  const verified = (turn.answer?.provenance.samples ?? []).some((sample) => sample.trim().toLowerCase() === asked);
  return <GradeBadge answer={turn.answer} verified={verified} />;
}
