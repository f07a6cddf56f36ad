import { useState } from "react";
import { get, put, remove } from "../api/client";
import type { DictionaryTaken } from "../api/types";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { formatNumber } from "../i18n/format";
import { Button } from "../ui/button";
import { FileButton } from "../ui/file_button";
import { Lines } from "../ui/lists";
import { Problem, useAttempt } from "../ui/notice";
import { Row } from "../ui/row";
import { Text } from "../ui/text";

/** A file that says what tables, columns and codes mean. */
export function Dictionary({ connection }: { connection: string }) {
  const t = useText();
  const { language } = usePreferences();
  const attempt = useAttempt();
  const [taken, setTaken] = useState<DictionaryTaken | null>(null);
  const [error, setError] = useState<unknown>(null);
  const path = { connection_id: connection };
  const kept = useLoad(`dictionary ${connection}`, () => get("/connections/{connection_id}/dictionary", { path }));
  const send = async (file: File) => {
    setError(null);
    setTaken(null);
    try {
      setTaken(
        await put("/connections/{connection_id}/dictionary", { path, query: { filename: file.name }, body: file }),
      );
      await kept.reload();
    } catch (problem) {
      setError(problem);
    }
  };
  const forget = async () => {
    await attempt(() => remove("/connections/{connection_id}/dictionary", { path }));
    setTaken(null);
    await kept.reload();
  };
  const told = (of: { tables: number; columns: number; values: number }) =>
    t.firstLook.described(
      ...([of.tables, of.columns, of.values].map((n) => formatNumber(n, language)) as [string, string, string]),
    );
  const some = kept.data && kept.data.tables + kept.data.columns + kept.data.values > 0;
  return (
    <section aria-label={t.firstLook.dictionary}>
      <h2>{t.firstLook.dictionary}</h2>
      <Text muted small>
        {some ? told(kept.data!) : t.firstLook.dictionaryHelp}
      </Text>
      <Row>
        <FileButton accept=".csv,.xlsx,.json,.yaml,.yml" label={t.firstLook.dictionary} onFile={send}>
          {t.firstLook.send}
        </FileButton>
        {some && (
          <Button kind="quiet" icon="trash" onClick={() => void forget()}>
            {t.app.remove}
          </Button>
        )}
      </Row>
      {taken && (
        <div role="status">
          <p>{told(taken)}</p>
          {taken.not_there > 0 && <Text muted>{t.firstLook.notThere(taken.not_there)}</Text>}
          <Lines>
            {taken.missing.map((each) => (
              <li key={each.name}>
                <code>{each.name}</code>
                {each.nearest.length > 0 && (
                  <Text as="span" muted>
                    {" "}
                    → {each.nearest.join(", ")}?
                  </Text>
                )}
              </li>
            ))}
          </Lines>
        </div>
      )}
      {error !== null && <Problem error={error} />}
    </section>
  );
}
