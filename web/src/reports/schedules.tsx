import { useState } from "react";
import { get, post, remove } from "../api/client";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { formatMoment } from "../i18n/format";
import { Button, IconButton } from "../ui/button";
import { Field } from "../ui/field";
import { Problem, useAttempt } from "../ui/notice";
import { PlainTable } from "../settings/plain_table";

/** When a report is filled by itself. */
export function Schedules({ report }: { report: string }) {
  const t = useText();
  const { language } = usePreferences();
  const attempt = useAttempt();
  const [cron, setCron] = useState("0 8 * * 1");
  const found = useLoad(`schedules ${report}`, () =>
    get("/reports/{report_id}/schedules", { path: { report_id: report } }),
  );
  const after = async (action: Promise<unknown>) => {
    await attempt(() => action);
    await found.reload();
  };
  if (found.error) return <Problem error={found.error} onRetry={found.reload} />;
  return (
    <div className="stack">
      <form
        className="row end-items"
        onSubmit={(event) => {
          event.preventDefault();
          void after(
            post("/reports/{report_id}/schedules", {
              path: { report_id: report },
              body: { cron, timezone: "", outputs: ["html"], target: "" },
            }),
          );
        }}
      >
        <Field label={t.reports.cron}>
          {(id) => <input id={id} value={cron} maxLength={100} onChange={(event) => setCron(event.target.value)} />}
        </Field>
        <Button type="submit" icon="plus">
          {t.app.add}
        </Button>
      </form>
      <PlainTable
        label={t.reports.schedule}
        head={[t.reports.cron, t.connections.timezone, t.reports.next, t.settings.outcome, ""]}
        rows={(found.data ?? []).map((each) => [
          <code>{each.cron}</code>,
          each.timezone,
          formatMoment(each.next_at, language),
          each.last_outcome || t.settings.never,
          <IconButton
            icon="trash"
            label={`${t.app.remove}: ${each.cron}`}
            onClick={() =>
              void after(
                remove("/reports/{report_id}/schedules/{schedule_id}", {
                  path: { report_id: report, schedule_id: each.id },
                }),
              )
            }
          />,
        ])}
      />
    </div>
  );
}
