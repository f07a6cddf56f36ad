import type { Tested } from "../api/types";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { formatSeconds } from "../i18n/format";
import { Icon } from "../ui/icons";
import { Text } from "../ui/text";
import styles from "./models.module.css";

/** What a try of a model gave: how long it took and how it is asked, or why not, with the provider's own words. */
export function Outcome({ tested }: { tested: Tested }) {
  const t = useText();
  const { language } = usePreferences();
  const next = tested.ok ? "" : (t.errors.next[tested.code] ?? "");
  return (
    <div role="status" className={styles.outcome}>
      <p className={tested.ok ? styles.good : styles.bad}>
        <Icon name={tested.ok ? "check" : "alert"} size={16} />
        <span>{tested.ok ? t.settings.tested(formatSeconds(tested.ms, language)) : tested.message}</span>
      </p>
      {tested.ok && tested.method && (
        <Text muted small>
          {t.models.asked(t.models.methods[tested.method] ?? tested.method)}
        </Text>
      )}
      {next && (
        <Text muted small>
          {next}
        </Text>
      )}
      {tested.detail && (
        <pre className={styles.detail} tabIndex={0} role="region" aria-label={t.models.said}>
          {tested.detail}
        </pre>
      )}
    </div>
  );
}
