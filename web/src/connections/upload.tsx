import { useRef, useState } from "react";
import { useText } from "../i18n";
import { StartCard } from "../ui/card";
import { Icon } from "../ui/icons";
import { useTakeFile } from "./dropped_file";
import styles from "./upload.module.css";

/** A place to choose a CSV or Excel file, which becomes a database that can be asked; it may be dropped anywhere. */
export function Upload() {
  const t = useText();
  const takeFile = useTakeFile();
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const take = async (file: File | undefined) => {
    setBusy(true);
    await takeFile(file);
    setBusy(false);
  };
  return (
    <StartCard type="button" className={styles.drop} aria-busy={busy} onClick={() => input.current?.click()}>
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
    </StartCard>
  );
}
