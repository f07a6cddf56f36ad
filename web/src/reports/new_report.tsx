import { useState } from "react";
import { post } from "../api/client";
import { go, Link } from "../app/route";
import { useWorld } from "../app/world";
import { useText } from "../i18n";
import { Button, ButtonLink } from "../ui/button";
import { Field, TextField } from "../ui/field";
import { FileButton } from "../ui/file_button";
import { useAttempt } from "../ui/notice";
import { PageHead } from "../ui/page_head";
import { Builder } from "./builder";
import styles from "./reports.module.css";

/** A template written beside its document, or brought as a file; Markdown, HTML or DOCX. */
export function NewReport() {
  const t = useText();
  const world = useWorld();
  const attempt = useAttempt();
  const [chosen, setChosen] = useState("");
  const connection = chosen || (world.connection === "auto" ? "" : world.connection) || world.connections[0]?.id || "";
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const add = () =>
    attempt(async () => {
      const place = { name: name.trim(), connection_id: connection || null };
      const body = file
        ? { ...place, filename: file.name, content_base64: await base64(file) }
        : { ...place, filename: "report.md", text };
      const made = await post("/reports", { body });
      go(`/reports/${made.id}`, { replace: true });
    });
  return (
    <>
      <PageHead title={t.reports.add}>
        <ButtonLink as={Link} href="/reports" kind="quiet">
          {t.app.back}
        </ButtonLink>
        <Button
          kind="primary"
          disabled={name.trim() === "" || (text.trim() === "" && file === null)}
          onClick={() => void add()}
        >
          {t.app.add}
        </Button>
      </PageHead>
      <div className={styles.rhythm}>
        <TextField label={t.connections.name} required maxLength={100} value={name} onText={setName} />
        <Field label={t.chat.database}>
          {(id) => (
            <select id={id} value={connection} onChange={(event) => setChosen(event.target.value)}>
              {world.connections.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.name}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <div className={styles.file}>
        <FileButton accept=".md,.html,.docx" label={t.reports.orFile} onFile={setFile}>
          {t.reports.orFile}
        </FileButton>
        {file && (
          <>
            <span>{file.name}</span>
            <Button kind="quiet" onClick={() => setFile(null)}>
              {t.reports.withoutFile}
            </Button>
          </>
        )}
      </div>
      {!file && <Builder connection={connection} text={text} onText={setText} />}
    </>
  );
}

/** A file's bytes, as the API takes them. */
export function base64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error ?? new Error("unreadable"));
    reader.readAsDataURL(file);
  });
}
