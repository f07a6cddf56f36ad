import { useState } from "react";
import { get, linkTo, post } from "../api/client";
import type { Report } from "../api/types";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { Button } from "../ui/button";
import { saveAs } from "../ui/copy";
import { FileButton } from "../ui/file_button";
import { notify, Problem, useAttempt } from "../ui/notice";
import { Stack } from "../ui/page";
import { Row, Spring, Toolbar } from "../ui/row";
import { Text } from "../ui/text";
import { Builder } from "./builder";
import { DocumentSketch } from "./document_sketch";
import { base64 } from "./new_report";

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
  if (!editable) return <WordTemplate report={report} onSaved={onSaved} />;
  if (kept.error) return <Problem error={kept.error} onRetry={kept.reload} />;
  if (kept.data === undefined) return <Text muted>{t.app.loading}</Text>;
  const text = draft ?? kept.data;
  const save = () =>
    attempt(async () => {
      await post("/reports", { body: { name, connection_id, filename: `report.${format}`, text } });
      await onSaved();
      setDraft(null);
      notify(t.app.saved);
    });
  return (
    <Stack>
      <Row end>
        <Button kind="primary" disabled={text === kept.data || !text.trim()} onClick={() => void save()}>
          {t.reports.save}
        </Button>
      </Row>
      <Builder connection={connection_id} text={text} format={format} onText={setDraft} />
    </Stack>
  );
}

/** A Word template: read here as the document it makes, changed in Word. */
function WordTemplate({ report, onSaved }: { report: Report; onSaved: () => Promise<void> }) {
  const t = useText();
  const attempt = useAttempt();
  const { id, name, version, connection_id } = report;
  const { language } = usePreferences();
  const path = { report_id: id };
  const sketch = useLoad(`sketch ${id} ${version} ${language}`, () => get("/reports/{report_id}/sketch", { path }));
  const replace = (file: File) =>
    attempt(async () => {
      const body = { name, connection_id, filename: file.name, content_base64: await base64(file) };
      await post("/reports", { body });
      await onSaved();
      notify(t.app.saved);
    });
  if (sketch.error) return <Problem error={sketch.error} onRetry={sketch.reload} />;
  return (
    <Stack>
      <Toolbar>
        <Text as="span" muted>
          {t.reports.noEdit}
        </Text>
        <Spring />
        <Button
          icon="download"
          onClick={() => saveAs(linkTo("/reports/{report_id}/template", { path }), `${name}.docx`)}
        >
          {t.reports.takeTemplate}
        </Button>
        <FileButton accept=".docx" label={t.reports.bringTemplate} onFile={replace}>
          {t.reports.bringTemplate}
        </FileButton>
      </Toolbar>
      {sketch.data ? <DocumentSketch sketch={sketch.data} /> : <Text muted>{t.app.loading}</Text>}
    </Stack>
  );
}
