import { useState } from "react";
import { get, post, remove } from "../api/client";
import type { Report } from "../api/types";
import { useMay } from "../app/identity";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { go, Link, useTitle } from "../app/route";
import { useWorld } from "../app/world";
import { useText } from "../i18n";
import { formatMoment } from "../i18n/format";
import { Button, IconButton } from "../ui/button";
import { Field, TextField } from "../ui/field";
import { FormDialog } from "../ui/form_dialog";
import { Problem, useAttempt } from "../ui/notice";
import { PageHead } from "../ui/page_head";
import { ReportView } from "./report_view";

/** Reports: the list, and one of them. */
export default function ReportsPage({ report, run }: { report?: string; run?: string }) {
  const t = useText();
  useTitle(t.reports.title);
  return <div className="page wide">{report ? <ReportView key={report} id={report} runId={run} /> : <List />}</div>;
}

function List() {
  const t = useText();
  const { language } = usePreferences();
  const may = useMay();
  const attempt = useAttempt();
  const [adding, setAdding] = useState(false);
  const found = useLoad(may("reports") ? "reports" : null, () => get("/reports"));
  const begin = async (template: string) => {
    await attempt(async () => {
      const made = await post("/reports", { body: { name: template, template, filename: "report.md" } });
      go(`/reports/${made.id}`);
    });
  };
  const forget = async (report: Report) => {
    await attempt(() => remove("/reports/{report_id}", { path: { report_id: report.id } }));
    await found.reload();
  };
  return (
    <>
      <PageHead title={t.reports.title} lead={t.reports.lead}>
        {may("reports") && (
          <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
            {t.reports.add}
          </Button>
        )}
      </PageHead>
      {found.error && <Problem error={found.error} onRetry={found.reload} />}
      <div className="stack">
        <ul className="cards">
          {found.data?.reports.map((report) => (
            <li key={report.id} className="card entry">
              <div>
                <h3>
                  <Link href={`/reports/${report.id}`}>{report.name}</Link>
                </h3>
                <div className="row">
                  <span className="badge">{report.format}</span>
                  <span className="muted small">{formatMoment(report.changed, language)}</span>
                </div>
              </div>
              <div className="row">
                <Link href={`/reports/${report.id}`} className="button plain">
                  {t.reports.view}
                </Link>
                <IconButton
                  icon="trash"
                  label={`${t.app.remove}: ${report.name}`}
                  onClick={() => void forget(report)}
                />
              </div>
            </li>
          ))}
        </ul>
        {found.data && !found.data.reports.length && <p className="muted">{t.reports.empty}</p>}
        {found.data && (
          <section aria-label={t.reports.templates}>
            <h2>{t.reports.templates}</h2>
            <div className="chips">
              {found.data.templates.map((template) => (
                <button key={template} type="button" className="chip" onClick={() => void begin(template)}>
                  {template}
                </button>
              ))}
            </div>
          </section>
        )}
      </div>
      {adding && <NewReport onClose={() => setAdding(false)} />}
    </>
  );
}

/** A template written or brought as a file; Markdown, HTML or DOCX. */
function NewReport({ onClose }: { onClose: () => void }) {
  const t = useText();
  const world = useWorld();
  const [connection, setConnection] = useState(world.connection === "auto" ? "" : world.connection);
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const add = async () => {
    const place = { name: name.trim(), connection_id: connection || null };
    const body = file
      ? { ...place, filename: file.name, content_base64: await base64(file) }
      : { ...place, filename: "report.md", text };
    const made = await post("/reports", { body });
    go(`/reports/${made.id}`);
  };
  return (
    <FormDialog
      title={t.reports.add}
      action={t.app.add}
      ready={name.trim() !== "" && (text.trim() !== "" || file !== null)}
      onClose={onClose}
      onSend={add}
    >
      <TextField label={t.connections.name} required maxLength={100} value={name} onText={setName} />
      <Field label={t.chat.database}>
        {(id) => (
          <select id={id} value={connection} onChange={(event) => setConnection(event.target.value)}>
            {world.connections.map((each) => (
              <option key={each.id} value={each.id}>
                {each.name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={t.reports.template} help={t.reports.templateHelp}>
        {(id) => (
          <textarea
            id={id}
            rows={8}
            value={text}
            disabled={file !== null}
            placeholder={t.reports.templateExample}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <Field label={t.reports.orFile}>
        {(id) => (
          <input
            id={id}
            type="file"
            accept=".md,.html,.docx"
            onChange={(event) => setFile(event.target.files?.[0] ?? null)}
          />
        )}
      </Field>
    </FormDialog>
  );
}

function base64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error ?? new Error("unreadable"));
    reader.readAsDataURL(file);
  });
}
