import { get } from "../api/client";
import type { UserInfo } from "../api/types";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { formatNumber } from "../i18n/format";
import { Badge } from "../ui/badge";
import { Dialog } from "../ui/dialog";
import { Problem } from "../ui/notice";
import { Text } from "../ui/text";
import { PlainTable } from "./plain_table";

/** Each database as a person has it: what is there for them, and which rows. */
export function Sees({ user, onClose }: { user: UserInfo; onClose: () => void }) {
  const t = useText();
  const { language } = usePreferences();
  const seen = useLoad(`sees ${user.id}`, () => get("/users/{user_id}/sees", { path: { user_id: user.id } }));
  return (
    <Dialog title={t.settings.seesOf(user.name)} onClose={onClose}>
      {seen.error && <Problem error={seen.error} onRetry={seen.reload} />}
      {seen.loading && <Text muted>{t.app.loading}</Text>}
      {seen.data?.map((database) => (
        <section key={database.connection_id}>
          <h3>
            {database.name} {!database.downloads && <Badge kind="warn">{t.settings.noDownloads}</Badge>}
          </h3>
          <Text muted small>
            {[t.settings.seesBy[database.by], database.groups.join(", ")].filter(Boolean).join(" ")}
          </Text>
          {database.hidden_tables > 0 && (
            <Text muted small>
              {t.settings.hiddenTables(formatNumber(database.hidden_tables, language))}
            </Text>
          )}
          <PlainTable
            label={database.name}
            head={[t.settings.ruleTable, t.data.columns, t.settings.hiddenColumns, t.settings.rowsSeen]}
            rows={database.tables.map((table) => [
              table.name,
              formatNumber(table.columns, language),
              table.hidden_columns ? formatNumber(table.hidden_columns, language) : "",
              table.rows ? <code>{table.rows}</code> : t.settings.allRows,
            ])}
          />
        </section>
      ))}
    </Dialog>
  );
}
