import { useEffect, useEffectEvent, useRef, useState } from "react";
import { post } from "../api/client";
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
      const made = await post("/uploads", { query: { filename: file.name }, body: file });
      await world.reload.connections();
      world.chooseConnection(made.id);
      notify(t.connections.added(made.name));
    });
    setBusy(false);
  };
  const takeDropped = useEffectEvent(take);

  // Anywhere on the page: a file that misses the card would otherwise be opened by the browser.
  useEffect(() => {
    const holds = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const dragged = (event: DragEvent) => {
      if (!holds(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const left = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const dropped = (event: DragEvent) => {
      if (!holds(event)) return;
      event.preventDefault();
      setOver(false);
      void takeDropped(event.dataTransfer?.files[0]);
    };
    document.addEventListener("dragover", dragged);
    document.addEventListener("dragleave", left);
    document.addEventListener("drop", dropped);
    return () => {
      document.removeEventListener("dragover", dragged);
      document.removeEventListener("dragleave", left);
      document.removeEventListener("drop", dropped);
    };
  }, []);

  return (
    <button
      type="button"
      className={`card start drop ${over ? "over" : ""}`}
      aria-busy={busy}
      onClick={() => input.current?.click()}
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
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = ""; // so that the same file can be chosen again
        }}
      />
    </button>
  );
}
