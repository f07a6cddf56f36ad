import { useRef, useState, type DragEvent } from "react";
import { at, send } from "../api/client";
import type { Added } from "../api/types";
import { useWorld } from "../app/world";
import { useText } from "../i18n";
import { Icon } from "../ui/icons";
import { notify, useAttempt } from "../ui/notice";

/** A place to drop a CSV or Excel file; it becomes a database that can be asked. */
export function Upload() {
  const t = useText();
  const world = useWorld();
  const attempt = useAttempt();
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [over, setOver] = useState(false);

  const take = async (file: File | undefined) => {
    if (!file) return;
    setBusy(true);
    await attempt(async () => {
      const response = await send("POST", at`/uploads?filename=${file.name}`, file);
      const made = (await response.json()) as Added;
      await world.reload.connections();
      world.chooseConnection(made.id);
      notify(t.connections.added(made.name));
    });
    setBusy(false);
  };
  const dropped = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  return (
    <button
      type="button"
      className={`card start drop ${over ? "over" : ""}`}
      aria-busy={busy}
      onClick={() => input.current?.click()}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={dropped}
    >
      <Icon name="upload" size={20} />
      <b>{busy ? t.welcome.uploading : t.welcome.upload}</b>
      <small>{t.welcome.uploadHelp}</small>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.tsv,.xlsx,.parquet,.json,.jsonl"
        aria-label={t.welcome.choose}
        onClick={(event) => event.stopPropagation()}
        onChange={(event) => void take(event.target.files?.[0])}
      />
    </button>
  );
}
