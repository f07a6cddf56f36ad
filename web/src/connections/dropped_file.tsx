import { useEffect, useEffectEvent, useState } from "react";
import { post } from "../api/client";
import { useMay } from "../app/identity";
import { go } from "../app/route";
import { useWorld } from "../app/world";
import { useText } from "../i18n";
import { Icon } from "../ui/icons";
import { notify, useAttempt } from "../ui/notice";
import styles from "./dropped_file.module.css";

/** Makes a data file a database that can be asked, and chooses it. */
export function useTakeFile(): (file: File | undefined) => Promise<void> {
  const t = useText();
  const world = useWorld();
  const attempt = useAttempt();
  return async (file) => {
    if (!file) return;
    await attempt(async () => {
      const made = await post("/uploads", { query: { filename: file.name }, body: file });
      await world.reload.connections();
      world.chooseConnection(made.id);
      notify(t.connections.added(made.name));
    });
  };
}

/** A file dropped on any part of the page can be asked at once; one that missed would be opened by the browser. */
export function DroppedFile() {
  const t = useText();
  const may = useMay();
  const take = useTakeFile();
  const [state, setState] = useState<"" | "over" | "busy">("");
  const takes = may("upload");
  const takeDropped = useEffectEvent(async (file: File | undefined) => {
    setState("busy");
    await take(file);
    setState("");
    go("/");
  });
  useEffect(() => {
    // A dialog may have a place for files of its own.
    const holds = (event: DragEvent) =>
      (event.dataTransfer?.types.includes("Files") ?? false) && !document.querySelector("dialog[open]");
    const dragged = (event: DragEvent) => {
      if (!holds(event)) return;
      event.preventDefault();
      setState("over");
    };
    const left = (event: DragEvent) => event.relatedTarget === null && setState("");
    const dropped = (event: DragEvent) => {
      if (!holds(event)) return;
      event.preventDefault();
      setState("");
      void takeDropped(event.dataTransfer?.files[0]);
    };
    if (!takes) return;
    document.addEventListener("dragover", dragged);
    document.addEventListener("dragleave", left);
    document.addEventListener("drop", dropped);
    return () => {
      document.removeEventListener("dragover", dragged);
      document.removeEventListener("dragleave", left);
      document.removeEventListener("drop", dropped);
    };
  }, [takes]);
  if (!state) return null;
  return (
    <div className={styles.veil} role="status">
      <p>
        <Icon name="upload" size={24} /> {state === "busy" ? t.welcome.uploading : t.welcome.dropHere}
      </p>
    </div>
  );
}
