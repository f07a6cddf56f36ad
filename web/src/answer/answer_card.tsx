import { useMemo, useState, type ReactNode } from "react";
import { linkTo, post } from "../api/client";
import type { SqlResult } from "../api/types";
import { useMay } from "../app/identity";
import { usePreferences } from "../app/preferences";
import { ChartPanel } from "../chart/chart_panel";
import { measures } from "../chart/model";
import type { Turn } from "../chat/turn";
import { useText } from "../i18n";
import { formatCell, formatMoment, formatNumber } from "../i18n/format";
import { DataTable } from "../table/data_table";
import { Button } from "../ui/button";
import { fileStem, saveAs } from "../ui/copy";
import { Icon } from "../ui/icons";
import { Menu } from "../ui/menu";
import { notify, useAttempt } from "../ui/notice";
import { Tabs, type Tab } from "../ui/tabs";
import { SmallTable } from "./small_table";
import { SqlPanel } from "./sql_panel";

type View = "answer" | "table" | "chart" | "sql";
type Props = {
  turn: Turn;
  connection: string;
  threadId: string;
  mayRun: boolean;
  onRefresh?: () => void;
  actions: ReactNode;
  /** The statement is being put right: it is shown, ready to be changed. */
  fixing?: boolean;
};

const FORMATS = ["csv", "xlsx", "parquet", "json"] as const;
const WORTH_A_CHART = 3;

/** One answer: what was found in words, as a table, as a chart, and the statement it came from. */
export function AnswerCard({ turn, connection, threadId, mayRun, onRefresh, actions, fixing = false }: Props) {
  const t = useText();
  const { language } = usePreferences();
  const [view, setView] = useState<View>("answer");
  const [began, setBegan] = useState(fixing);
  if (began !== fixing) {
    setBegan(fixing);
    if (fixing) setView("sql");
  }
  const [ran, setRan] = useState<SqlResult | null>(null);
  const [draft, setDraft] = useState("");
  const may = useMay();
  const attempt = useAttempt();
  const answer = turn.answer;
  const result = ran
    ? { id: ran.result_id, columns: ran.columns, rows: ran.rows, rowCount: ran.row_count, truncated: ran.truncated }
    : turn.result;
  const sql = answer?.sql ?? turn.attempts.at(-1) ?? "";
  const chart = ran ? ran.chart : turn.chart;
  const count =
    result && (result.rowCount === 1 ? t.answer.oneRow : t.answer.rows(formatNumber(result.rowCount, language)));
  const facts = ran ? undefined : answer?.facts;
  const open = useMemo(
    () => (facts ?? []).filter((fact) => fact.kind === "unfinished").map((fact) => String(fact.label)),
    [facts],
  );
  const label = turn.question || t.answer.tabs.table;

  const changed = (next: SqlResult | null, text: string) => {
    setRan(next);
    setDraft(text);
    setView(next ? "table" : "sql");
  };
  /** The statement a person put right, for this question as it was understood. */
  const keep = () =>
    attempt(async () => {
      const pair = { question: answer?.reading.question ?? turn.question, sql: draft };
      await post("/connections/{connection_id}/samples", { path: { connection_id: connection }, body: pair });
      notify(t.answer.kept);
    });
  const table = () =>
    result && (
      <div className="table-panel">
        <div className="toolbar">
          {ran && <span className="badge">{t.answer.edited}</span>}
          <span className="muted">
            {count}, {t.answer.columns(formatNumber(result.columns.length, language))}
          </span>
          {result.truncated && <span className="muted">{t.answer.truncated}</span>}
          <span className="spring" />
          {ran && may("samples") && (
            <Button kind="quiet" icon="star" onClick={() => void keep()}>
              {t.answer.keep}
            </Button>
          )}
          {ran && (
            <Button
              kind="quiet"
              onClick={() => {
                setRan(null);
                setDraft("");
              }}
            >
              {t.answer.original}
            </Button>
          )}
          {result.id && (
            <Menu
              label={t.answer.export}
              className="button plain"
              items={FORMATS.map((format) => ({
                label: t.chart[format],
                onSelect: () =>
                  saveAs(
                    linkTo("/results/{result_id}/export", {
                      path: { result_id: result.id! },
                      query: { format, name: fileStem(turn.question) },
                    }),
                    `${fileStem(turn.question)}.${format}`,
                  ),
              }))}
            >
              <Icon name="download" size={16} />
              <span>{t.answer.export}</span>
            </Menu>
          )}
        </div>
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
          <p className="muted empty">{t.answer.noRows}</p>
        )}
      </div>
    );
  const words = () => (
    <div className="words">
      <Prose turn={turn} />
      {chart && result && chart.data.length >= WORTH_A_CHART ? (
        <ChartPanel bare open={open} spec={chart} columns={result.columns} rows={result.rows} resultId={result.id} />
      ) : (
        result &&
        result.rowCount > 1 && (
          <SmallTable
            columns={result.columns}
            rows={result.rows}
            total={result.rowCount}
            onAll={() => setView("table")}
          />
        )
      )}
      {answer && answer.warnings.length > 0 && (
        <ul className="warnings" aria-label={t.chat.warnings}>
          {answer.warnings.map((warning) => (
            <li key={warning}>
              <Icon name="alert" size={14} /> {warning}
            </li>
          ))}
        </ul>
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
          spec={chart}
          columns={result.columns}
          rows={result.rows}
          resultId={result.id}
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
          key={sql}
          sql={sql}
          attempts={turn.attempts}
          reading={answer?.reading ?? {}}
          connection={connection}
          question={turn.question}
          threadId={threadId}
          draft={draft}
          onRan={changed}
          mayRun={mayRun}
          fixing={fixing}
        />
      ),
    });

  return (
    <div className="card answer-card">
      {tabs.length > 1 ? (
        <Tabs label={label} tabs={tabs} value={view} onChange={setView} aside={<Badges turn={turn} />} />
      ) : (
        <div className="tab-panel">{words()}</div>
      )}
      <footer className="card-foot">
        {turn.cache?.as_of && turn.cache.level !== "semantic" && (
          <span className="cached">
            <Icon name="clock" size={15} /> {t.chat.fromCache(formatMoment(turn.cache.as_of, language))}
            {onRefresh && (
              <button type="button" className="link" onClick={onRefresh}>
                {t.chat.refresh}
              </button>
            )}
          </span>
        )}
        <span className="actions">{actions}</span>
      </footer>
    </div>
  );
}

/** The number itself where there is only one; then the prose, one sentence a line where there are several. */
function Prose({ turn }: { turn: Turn }) {
  const { language } = usePreferences();
  const t = useText();
  const only = turn.result?.rowCount === 1 && turn.result.columns.length === 1 ? turn.result : null;
  const cell = only?.rows[0]?.[0];
  const busy = turn.phase === "running";
  return (
    <>
      {only && cell !== null && cell !== undefined && (
        <p className="figure">{formatCell(cell, only.columns[0]!.kind, only.columns[0]!.name, language)}</p>
      )}
      {turn.streamed ? (
        <p className={`prose ${only ? "below" : ""}`}>{turn.streamed}</p>
      ) : busy ? (
        <p className="muted">{t.chat.thinking}</p>
      ) : null}
    </>
  );
}

/** Whether a person verified this very question. */
function Badges({ turn }: { turn: Turn }) {
  const t = useText();
  const asked = (turn.answer?.reading.question ?? turn.question).trim().toLowerCase();
  const verified = (turn.answer?.provenance.samples ?? []).some((sample) => sample.trim().toLowerCase() === asked);
  if (!verified) return null;
  return (
    <span className="badge good" title={t.chat.verifiedHelp}>
      <Icon name="shield" size={14} /> {t.chat.verified}
    </span>
  );
}
