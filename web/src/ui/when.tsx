import { usePreferences } from "../app/preferences";
import { formatDay, formatMoment } from "../i18n/format";
import styles from "./when.module.css";

/** A moment in the reader's words, on one line; of a `day` the time is in its title. */
export function When({ at, day = false }: { at: string; day?: boolean }) {
  const { language } = usePreferences();
  const moment = formatMoment(at, language);
  return (
    <time className={styles.when} dateTime={at} title={day ? moment : undefined}>
      {day ? formatDay(at, language) : moment}
    </time>
  );
}
