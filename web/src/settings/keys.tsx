import { useState } from "react";
import { get, post, remove } from "../api/client";
import type { KeyInfo, NewKeyInfo } from "../api/types";
import { useLoad } from "../app/load";
import { useText } from "../i18n";
import { Button, IconButton } from "../ui/button";
import { copyText } from "../ui/copy";
import { notify, Problem, Success, useAttempt } from "../ui/notice";
import { Stack } from "../ui/page";
import { RemoveButton } from "../ui/remove_button";
import { Row } from "../ui/row";
import { When } from "../ui/when";
import { PlainTable } from "./plain_table";

/** Keys for programs; one is shown once, when it is made. */
export function Keys() {
  const t = useText();
  const attempt = useAttempt();
  const [name, setName] = useState("");
  const [made, setMade] = useState<NewKeyInfo | null>(null);
  const keys = useLoad("keys", () => get("/keys"));
  const add = async () => {
    await attempt(async () => setMade(await post("/keys", { body: { name: name.trim() } })));
    setName("");
    await keys.reload();
  };
  const revoke = async (key: KeyInfo) => {
    await remove("/keys/{key_id}", { path: { key_id: key.id } });
    await keys.reload();
  };
  if (keys.error) return <Problem error={keys.error} onRetry={keys.reload} />;
  return (
    <Stack>
      <Row
        as="form"

        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <input
          aria-label={t.connections.name}
          placeholder={t.connections.name}
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button kind="primary" type="submit" icon="plus" disabled={!name.trim()}>
          {t.settings.newKey}
        </Button>
      </Row>
      {made && (
        <Success role="status">
          <div>
            <p>{t.settings.keyOnce}</p>
            <Row as="p">
              <code>{made.key}</code>
              <IconButton
                icon="copy"
                label={t.app.copy}
                onClick={() => {
                  void copyText(made.key);
                  notify(t.app.copied);
                }}
              />
            </Row>
          </div>
        </Success>
      )}
      <PlainTable
        label={t.settings.keys}
        head={[t.connections.name, t.settings.key, t.settings.created, t.settings.expires, t.settings.lastUsed, ""]}
        rows={(keys.data ?? [])
          .filter((key) => !key.revoked)
          .map((key) => [
            key.name,
            <code>{key.prefix}…</code>,
            <When at={key.created} />,
            key.expires ? <When at={key.expires} /> : t.settings.never,
            key.used ? <When at={key.used} /> : t.settings.never,
            <RemoveButton action={t.settings.revoke} what={key.name} onRemove={() => revoke(key)} />,
          ])}
      />
    </Stack>
  );
}
