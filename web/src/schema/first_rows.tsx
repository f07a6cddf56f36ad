import { get } from "../api/client";
import { useLoad } from "../app/load";
import { useText } from "../i18n";
import { Problem } from "../ui/notice";
import { DataTable } from "../table/data_table";
import { Text } from "../ui/text";

/** Rows of a table as they are stored, with columns as readers call them: no more than this person may read. */
export function FirstRows({ connection, table }: { connection: string; table: string }) {
  const t = useText();
  const rows = useLoad(`rows ${connection} ${table}`, () =>
    get("/connections/{connection_id}/tables/{table}/rows", { path: { connection_id: connection, table } }),
  );
  if (rows.error) return <Problem error={rows.error} onRetry={rows.reload} />;
  if (!rows.data) return <Text muted>{t.app.loading}</Text>;
  if (!rows.data.rows.length) return <Text muted>{t.answer.noRows}</Text>;
  return (
    <>
      <DataTable
        label={t.data.firstRowsOf(table)}
        columns={rows.data.columns}
        rows={rows.data.rows}
        total={rows.data.rows.length}
        resultId={null}
      />
      {rows.data.cut && (
        <Text muted small>
          {t.data.moreRows}
        </Text>
      )}
    </>
  );
}
