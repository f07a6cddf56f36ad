import { useEffect, useRef } from "react";
import { get } from "../api/client";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { formatNumber } from "../i18n/format";
import styles from "./reading_progress.module.css";

const LOOK_MS = 2000;

export type UnderWay = { done: number; total: number };

/** How far the tables of a database have been read; null where all have. `onRead` is called when the last one has. */
export function useReading(connection: string, onRead: () => void): UnderWay | null {
  const first = useLoad(`reading ${connection}`, () =>
    get("/connections/{connection_id}/tables", { path: { connection_id: connection }, query: { limit: 1 } }),
  );
  const told = useRef(onRead);
  useEffect(() => {
    told.current = onRead;
  });
  const { reload } = first;
  const reading = first.data?.reading ?? null;
  const busy = reading !== null;
  useEffect(() => {
    if (!busy) return;
    const timer = setInterval(() => void reload(), LOOK_MS);
    return () => clearInterval(timer);
  }, [busy, reload]);
  const was = useRef(false);
  useEffect(() => {
    if (was.current && !busy) told.current();
    was.current = busy;
  }, [busy]);
  return reading;
}

/** Says that a database is still being read, and that nobody needs to wait for it. */
export function ReadingProgress({ reading: { done, total } }: { reading: UnderWay }) {
  const t = useText();
  const { language } = usePreferences();
  const words = t.data.reading(formatNumber(done, language), formatNumber(total, language));
  return (
    <div className={styles.reading}>
      <p role="status">{words}</p>
      <progress aria-label={words} value={done} max={Math.max(1, total)} />
    </div>
  );
}
