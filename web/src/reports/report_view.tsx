import { useEffect, useState } from "react";
import { get, post } from "../api/client";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { go, Link } from "../app/route";
import { useText } from "../i18n";
import { formatMoment } from "../i18n/format";
import { Button, ButtonLink } from "../ui/button";
import { FormDialog } from "../ui/form_dialog";
import { Problem, useAttempt } from "../ui/notice";
import { PageHead } from "../ui/page_head";
import { Split, SplitSide } from "../ui/split";
import { Tabs } from "../ui/tabs";
import { Text } from "../ui/text";
import { filled, ParameterFields, useParameters, type Given } from "./parameters";
import { Placeholders } from "./placeholders";
import { RunView } from "./run_view";
import { Schedules } from "./schedules";
import { TemplateEditor } from "./template_editor";

const LOOK_MS = 1000;

/** One report: its runs, what the chosen one found, its placeholders and its schedule. */
export function ReportView({ id, runId }: { id: string; runId?: string }) {
  const t = useText();
  const { language } = usePreferences();
  const attempt = useAttempt();
  const [view, setView] = useState<"runs" | "template" | "placeholders" | "schedule">("runs");
  const report = useLoad(`report ${id}`, () => get("/reports/{report_id}", { path: { report_id: id } }));
  const runs = useLoad(`runs ${id}`, () => get("/reports/{report_id}/runs", { path: { report_id: id } }));
  const chosen = runs.data?.find((run) => run.id === runId) ?? runs.data?.[0];
  const busy = runs.data?.some((run) => run.status === "running") ?? false;
  const reload = runs.reload;
  useEffect(() => {
    if (!busy) return;
    const timer = setInterval(() => void reload(), LOOK_MS);
    return () => clearInterval(timer);
  }, [busy, reload]);
  const parameters = useParameters(id);
  const [asking, setAsking] = useState<Given | null>(null);
  const start = async (given: Given) => {
    const run = await post("/reports/{report_id}/runs", {
      path: { report_id: id },
      body: { anew: false, parameters: filled(given) },
    });
    go(`/reports/${id}/${run.id}`, { replace: true });
    setView("runs");
    await reload();
  };
  if (report.error) return <Problem error={report.error} onRetry={report.reload} />;
  if (!report.data) return <Text muted>{t.app.loading}</Text>;
  return (
    <>
      <PageHead title={report.data.name}>
        <ButtonLink as={Link} href="/reports" kind="quiet">
          {t.app.back}
        </ButtonLink>
        <Button
          kind="primary"
          icon="send"
          busy={busy}
          onClick={() => (parameters.data?.length ? setAsking({}) : void attempt(() => start({})))}
        >
          {busy ? t.reports.running : t.reports.run}
        </Button>
      </PageHead>
      {asking && (
        <FormDialog
          title={t.app.colon(t.reports.run) + report.data.name}
          action={t.reports.run}
          onClose={() => setAsking(null)}
          onSend={() => start(asking)}
        >
          <ParameterFields parameters={parameters.data ?? []} given={asking} onChange={setAsking} />
        </FormDialog>
      )}
      <Tabs
        label={report.data.name}
        value={view}
        onChange={setView}
        tabs={[
          {
            name: "runs",
            label: t.reports.runs,
            icon: "clock",
            content: () => (
              <Split>
                <SplitSide>
                  {runs.data && !runs.data.length && <Text muted>{t.reports.never}</Text>}
                  <ul>
                    {runs.data?.map((run) => (
                      <li key={run.id}>
                        <button
                          type="button"
                          aria-current={run === chosen ? "true" : undefined}
                          onClick={() => go(`/reports/${id}/${run.id}`, { replace: true })}
                        >
                          <span>{formatMoment(run.started, language)}</span>
                          <small>{t.reports.states[run.status] ?? run.status}</small>
                        </button>
                      </li>
                    ))}
                  </ul>
                </SplitSide>
                <div>
                  {chosen && (
                    <RunView
                      key={`${chosen.id} ${chosen.status}`}
                      run={chosen}
                      connection={report.data?.connection_id ?? ""}
                    />
                  )}
                </div>
              </Split>
            ),
          },
          {
            name: "template",
            label: t.reports.edit,
            icon: "edit",
            content: () => <TemplateEditor report={report.data!} onSaved={report.reload} />,
          },
          {
            name: "placeholders",
            label: t.reports.questions,
            icon: "text",
            content: () => <Placeholders report={id} />,
          },
          { name: "schedule", label: t.reports.schedule, icon: "retry", content: () => <Schedules report={id} /> },
        ]}
      />
    </>
  );
}
