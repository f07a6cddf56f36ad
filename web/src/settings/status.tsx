import { get } from "../api/client";
import { useMay } from "../app/identity";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { formatNumber } from "../i18n/format";
import { Badge } from "../ui/badge";
import { classes } from "../ui/dressed";
import { Problem } from "../ui/notice";
import { Stack } from "../ui/page";
import { Text } from "../ui/text";
import { PlainTable } from "./plain_table";
import styles from "./status.module.css";

/** How each cache is used, where there is one; the server does not describe it yet. */
type CacheStats = Record<string, { hits: number; misses: number; entries?: number } | null>;

/** Whether the server is well, what was spent, and what the caches saved. */
export function Status() {
  const t = useText();
  const { language } = usePreferences();
  const may = useMay();
  const health = useLoad("health", () => get("/health/ready"));
  const usage = useLoad("usage", () => get("/usage", { query: { days: 14, everyone: may("operate") } }));
  const caches = useLoad(may("operate") ? "caches" : null, () => get("/caches"));
  const number = (value: number | undefined) => (value === undefined ? "" : formatNumber(value, language, 4));
  return (
    <Stack>
      <section>
        <h2>{t.settings.status}</h2>
        {health.error && <Problem error={health.error} onRetry={health.reload} />}
        {health.data && (
          <>
            <p>
              <Badge kind={health.data.ready ? "good" : "bad"}>
                {health.data.ready ? t.settings.ready : t.settings.notReady}
              </Badge>{" "}
              <Text as="span" muted>{`${t.settings.version} ${health.data.version}`}</Text>
            </p>
            <ul className={styles.checks}>
              {health.data.checks.map((check) => (
                <li key={check.name}>
                  <span
                    className={classes(styles.dot, check.ok ? styles.good : check.required ? styles.bad : styles.warn)}
                    aria-hidden="true"
                  />
                  <b>{t.settings.checks[check.name] ?? check.name}</b>
                  <Text as="span" muted>
                    {check.ok ? t.settings.ok : check.reason}
                  </Text>
                  {!check.required && !check.ok && <Badge>{t.settings.optional}</Badge>}
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
      <section>
        <h2>{t.settings.usage}</h2>
        {usage.error && <Problem error={usage.error} onRetry={usage.reload} />}
        {usage.data && (
          <PlainTable
            label={t.settings.usage}
            head={[
              t.settings.when,
              t.settings.who,
              t.settings.runs,
              t.drawer.calls,
              t.settings.tokens,
              t.drawer.cost,
              t.settings.hits,
            ]}
            rows={usage.data.days.map((day) => [
              day.day,
              day.user_name || day.user_id,
              number(day.runs),
              number(day.model_calls),
              number(day.tokens),
              number(day.cost),
              number(day.cache_hits),
            ])}
            numbers={2}
          />
        )}
      </section>
      {caches.data && (
        <section>
          <h2>{t.settings.caches}</h2>
          <PlainTable
            label={t.settings.caches}
            head={[t.settings.level, t.settings.hits, t.settings.misses, t.settings.entries]}
            rows={Object.entries(caches.data as CacheStats).flatMap(([level, stats]) =>
              stats
                ? [[t.settings.levels[level] ?? level, number(stats.hits), number(stats.misses), number(stats.entries)]]
                : [],
            )}
            numbers={1}
          />
        </section>
      )}
    </Stack>
  );
}
