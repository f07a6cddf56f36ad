import { useEffect, useState } from "react";
import { get, linkTo } from "../api/client";
import type { ReportRun, ReportValue } from "../api/types";
import { SmallTable } from "../answer/small_table";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useMayDownload } from "../app/world";
import { ChartPanel } from "../chart/chart_panel";
import { useText } from "../i18n";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { Card, Cards } from "../ui/card";
import { saveAs } from "../ui/copy";
import { Icon } from "../ui/icons";
import { Lines, Warnings } from "../ui/lists";
import { Problem } from "../ui/notice";
import { Stack } from "../ui/page";
import { Spring, Toolbar } from "../ui/row";
import { Tabs } from "../ui/tabs";
import { Figure, Text } from "../ui/text";
import { tellChange } from "./change";
import styles from "./reports.module.css";

const OUTPUTS = ["html", "docx", "pdf", "md"] as const;
const LOOK_MS = 1000;

/** A run: how far it is, then its document, and what was found value by value. */
export function RunView({ run, connection }: { run: ReportRun; connection: string }) {
  const mayTake = useMayDownload(connection);
  const t = useText();
  const { language } = usePreferences();
  const details = useLoad(`run ${run.id}`, () => get("/report-runs/{run_id}", { path: { run_id: run.id } }));
  const [view, setView] = useState<"document" | "values">("document");
  const running = run.status === "running";
  const reload = details.reload;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => void reload(), LOOK_MS);
    return () => clearInterval(timer);
  }, [running, reload]);
  if (details.error) return <Problem error={details.error} onRetry={details.reload} />;
  if (!details.data) return <Text muted>{t.app.loading}</Text>;
  const { values, changes } = details.data;
  const problems = details.data.content.problems ?? [];
  const solved = values.filter((value) => value.status === "solved").length;
  const doubtful = values.filter((value) => value.status === "doubtful").length;
  return (
    <Stack>
      <Toolbar>
        <Text as="span" muted>
          {running
            ? t.reports.running
            : t.reports.placeholders(String(solved), String(details.data.content.placeholders ?? values.length))}
        </Text>
        {!running && doubtful > 0 && (
          <Badge kind="warn" title={t.reports.unconfirmedHelp}>
            {t.reports.unconfirmed(doubtful)}
          </Badge>
        )}
        <Spring />
        {!running &&
          mayTake &&
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
      </Toolbar>
      {running && (
        <>
          <Progress run={run} values={values} />
          <DocumentFrame run={run.id} title={t.reports.building} known={values.length} />
        </>
      )}
      {problems.length > 0 && (
        <Warnings aria-label={t.chat.warnings}>
          {problems.map((problem, place) => (
            <li key={place}>
              <Icon name="alert" size={14} /> {t.reports.line(problem.line)} {problem[language]}
            </li>
          ))}
        </Warnings>
      )}
      {changes.length > 0 && (
        <section aria-label={t.reports.changes}>
          <h2>{t.reports.changes}</h2>
          <Lines>
            {changes.map((change) => (
              <li key={`${change.key} ${change.kind}`}>
                <b>{change.title}</b>{" "}
                <Text as="span" muted>
                  {tellChange(change, t, language)}
                </Text>
              </li>
            ))}
          </Lines>
        </section>
      )}
      {!running && (
        <Tabs
          label={t.reports.runs}
          value={view}
          onChange={setView}
          tabs={[
            {
              name: "document",
              label: t.reports.document,
              icon: "report",
              content: () => <DocumentFrame run={run.id} title={t.reports.document} known={values.length} />,
            },
            {
              name: "values",
              label: t.reports.values,
              icon: "table",
              content: () => <Values values={values} connection={connection} />,
            },
          ]}
        />
      )}
    </Stack>
  );
}

/** The document as far as it is known; it is read anew with each value, and nothing in it runs. */
function DocumentFrame({ run, title, known }: { run: string; title: string; known: number }) {
  const address = linkTo("/report-runs/{run_id}/view", { path: { run_id: run } });
  return <iframe className={styles.document} title={title} sandbox="" src={`${address}?known=${known}`} />;
}

/** Each placeholder of a run that is under way, with what became of it so far. */
function Progress({ run, values }: { run: ReportRun; values: ReportValue[] }) {
  const t = useText();
  const places = useLoad(`placeholders ${run.report_id}`, () =>
    get("/reports/{report_id}/placeholders", { path: { report_id: run.report_id } }),
  );
  const done = new Map(values.map((value) => [value.key, value]));
  const total = places.data?.length ?? values.length;
  return (
    <section aria-label={t.reports.progress(done.size, total)}>
      <p role="status">{t.reports.progress(done.size, total)}</p>
      <progress className={styles.progress} value={done.size} max={Math.max(1, total)} />
      <ul className={styles.places}>
        {places.data?.map((place) => {
          const status = done.get(place.key)?.status;
          return (
            <li key={place.key} className={status ? undefined : styles.waiting}>
              {status ? (
                <Icon name={status === "solved" ? "check" : "alert"} size={15} />
              ) : (
                <Icon name="clock" size={15} />
              )}
              <span>{place.title}</span>
              <small>{status ? (t.reports.states[status] ?? status) : ""}</small>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Values({ values, connection }: { values: ReportValue[]; connection: string }) {
  const t = useText();
  const { language } = usePreferences();
  return (
    <Cards>
      {values.map((value) => (
        <Card as="li" key={value.key} className={styles.value}>
          <h2>
            {value.title}{" "}
            {value.status !== "solved" && (
              <Badge kind={value.status === "doubtful" ? "warn" : "bad"}>
                {t.reports.states[value.status] ?? value.status}
              </Badge>
            )}
          </h2>
          <Found value={value} connection={connection} />
          {value.problem && <Text muted>{value.problem[language]}</Text>}
          {value.notes.map((note) => (
            <Text key={note} muted small>
              {note}
            </Text>
          ))}
        </Card>
      ))}
    </Cards>
  );
}

/** A value as the document has it: with its unit, in the words of its reader, and drawn where the document draws it. */
function Found({ value, connection }: { value: ReportValue; connection: string }) {
  const t = useText();
  const found = value.document;
  if (!found) return null;
  if (found.chart)
    return (
      <ChartPanel
        bare
        spec={found.chart}
        columns={value.columns}
        rows={value.preview}
        resultId={null}
        connection={connection}
      />
    );
  const [head, ...rows] = found.rows;
  if (!head) return value.shape === "value" ? <Figure>{found.text}</Figure> : <Text>{found.text}</Text>;
  const columns = head.map((name, place) => ({ name, kind: found.numbers.includes(place) ? "number" : "text" }));
  return (
    <>
      <SmallTable label={value.title} columns={columns} rows={rows} total={value.row_count} most={rows.length} />
      {found.left_out > 0 && (
        <Text muted small>
          {t.reports.moreRows(String(found.left_out))}
        </Text>
      )}
    </>
  );
}
