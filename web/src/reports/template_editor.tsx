import { useState } from "react";
import { linkTo, post } from "../api/client";
import type { Report } from "../api/types";
import { useLoad } from "../app/load";
import { useText } from "../i18n";
import { Button } from "../ui/button";
import { notify, Problem, useAttempt } from "../ui/notice";
import { Builder } from "./builder";

/** The template of a report, to be written on; a Word file is changed in Word. */
export function TemplateEditor({ report, onSaved }: { report: Report; onSaved: () => Promise<void> }) {
  const t = useText();
  const attempt = useAttempt();
  const { id, name, format, version, connection_id } = report;
  const editable = format === "md" || format === "html";
  const kept = useLoad(editable ? `template ${id} ${version}` : null, async () => {
    const answer = await fetch(linkTo("/reports/{report_id}/template", { path: { report_id: id } }));
    return answer.text();
  });
  const [draft, setDraft] = useState<string | null>(null);
  if (!editable) return <p className="muted">{t.reports.noEdit}</p>;
  if (kept.error) return <Problem error={kept.error} onRetry={kept.reload} />;
  if (kept.data === undefined) return <p className="muted">{t.app.loading}</p>;
  const text = draft ?? kept.data;
  const save = () =>
    attempt(async () => {
      await post("/reports", { body: { name, connection_id, filename: `report.${format}`, text } });
      await onSaved();
      setDraft(null);
      notify(t.app.saved);
    });
  return (
    <div className="stack">
      <div className="row end">
        <Button kind="primary" disabled={text === kept.data || !text.trim()} onClick={() => void save()}>
          {t.reports.save}
        </Button>
      </div>
      <Builder connection={connection_id} text={text} format={format} onText={setDraft} />
    </div>
  );
}
