import { useEffect } from "react";
import { get, linkTo } from "../api/client";
import type { ReportRun, ReportValue } from "../api/types";
import { SmallTable } from "../answer/small_table";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { ChartPanel } from "../chart/chart_panel";
import { useText } from "../i18n";
import { formatCell, formatPercent } from "../i18n/format";
import { Button } from "../ui/button";
import { saveAs } from "../ui/copy";
import { Icon } from "../ui/icons";
import { Problem } from "../ui/notice";

const OUTPUTS = ["html", "docx", "pdf", "md"] as const;
const LOOK_MS = 1000;
const GOOD = new Set(["solved", "doubtful"]);

/** What a run found, value by value; the finished document is downloaded. */
export function RunView({ run }: { run: ReportRun }) {
  const t = useText();
  const { language } = usePreferences();
  const details = useLoad(`run ${run.id}`, () => get("/report-runs/{run_id}", { path: { run_id: run.id } }));
  const running = run.status === "running";
  const reload = details.reload;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => void reload(), LOOK_MS);
    return () => clearInterval(timer);
  }, [running, reload]);
  if (details.error) return <Problem error={details.error} onRetry={details.reload} />;
  if (!details.data) return <p className="muted">{t.app.loading}</p>;
  const { values, changes } = details.data;
  const problems = details.data.content.problems ?? [];
  const solved = values.filter((value) => GOOD.has(value.status)).length;
  return (
    <div className="stack">
      <div className="toolbar">
        <span className="muted">
          {running && !values.length
            ? t.reports.running
            : t.reports.placeholders(String(solved), String(values.length))}
        </span>
        <span className="spring" />
        {!running &&
          OUTPUTS.map((output) => (
            <Button
              key={output}
              icon="download"
              kind="quiet"
              onClick={() =>
                saveAs(
                  linkTo("/report-runs/{run_id}/document", { path: { run_id: run.id }, query: { format: output } }),
                  `report.${output}`,
                )
              }
            >
              {output.toUpperCase()}
            </Button>
          ))}
      </div>
      {problems.length > 0 && (
        <ul className="warnings" aria-label={t.chat.warnings}>
          {problems.map((problem, place) => (
            <li key={place}>
              <Icon name="alert" size={14} /> {t.reports.line(problem.line)} {problem[language]}
            </li>
          ))}
        </ul>
      )}
      {changes.length > 0 && (
        <section aria-label={t.reports.changes}>
          <h2>{t.reports.changes}</h2>
          <ul className="lines">
            {changes.map((change) => (
              <li key={`${change.key} ${change.kind}`}>
                <b>{change.title}</b>{" "}
                <span className="muted">
                  {formatCell(change.before, "number", "", language)} →{" "}
                  {formatCell(change.after, "number", "", language)}
                  {change.rate !== null && ` (${change.rate > 0 ? "+" : ""}${formatPercent(change.rate, language)})`}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <ul className="cards">
        {values.map((value) => (
          <li key={value.key} className="card report-value">
            <h3>
              {value.title}{" "}
              {!GOOD.has(value.status) && (
                <span className="badge bad">{t.reports.states[value.status] ?? value.status}</span>
              )}
            </h3>
            <Found value={value} />
            {value.problem && <p className="muted">{value.problem[language]}</p>}
            {value.notes.map((note) => (
              <p key={note} className="muted small">
                {note}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Found({ value }: { value: ReportValue }) {
  const { language } = usePreferences();
  const [column] = value.columns;
  const cell = value.preview[0]?.[0];
  if (!column || !value.preview.length) return null;
  if (value.columns.length === 1 && value.row_count === 1)
    return <p className="figure">{formatCell(cell ?? null, column.kind, column.name, language)}</p>;
  if (value.shape === "chart")
    return <ChartPanel bare spec={null} columns={value.columns} rows={value.preview} resultId={null} />;
  return (
    <SmallTable
      columns={value.columns}
      rows={value.preview}
      total={Math.min(value.row_count, 5)}
      onAll={() => undefined}
    />
  );
}
