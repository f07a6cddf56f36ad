import { useState } from "react";
import { post } from "../api/client";
import { useIdentity } from "../app/identity";
import { useText } from "../i18n";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Form, Pair } from "../ui/form";
import { notify, useAttempt } from "../ui/notice";
import { Stack } from "../ui/page";
import { Row } from "../ui/row";
import styles from "./general.module.css";

/** The account; language and theme stand at the foot of the sidebar. */
export function General() {
  const t = useText();
  const { me, signOut } = useIdentity();
  return (
    <Stack as="section">
      <h2>{t.settings.account}</h2>
      <p>
        {me.name} <Badge>{t.settings.roles[me.role] ?? me.role}</Badge>
      </p>
      {me.has_password && <Password />}
      <Row>
        <Button icon="exit" onClick={signOut}>
          {t.login.signOut}
        </Button>
      </Row>
    </Stack>
  );
}

function Password() {
  const t = useText();
  const attempt = useAttempt();
  const [old, setOld] = useState("");
  const [next, setNext] = useState("");
  const change = async () => {
    if (!(await attempt(() => post("/auth/password", { body: { old, new: next } })))) return;
    setOld("");
    setNext("");
    notify(t.app.saved);
  };
  return (
    <Form
      className={styles.password}
      onSubmit={(event) => {
        event.preventDefault();
        void change();
      }}
    >
      <Pair even>
        <Field label={t.login.password}>
          {(id) => (
            <input
              id={id}
              type="password"
              autoComplete="current-password"
              value={old}
              onChange={(event) => setOld(event.target.value)}
            />
          )}
        </Field>
        <Field label={t.settings.newPassword}>
          {(id) => (
            <input
              id={id}
              type="password"
              autoComplete="new-password"
              value={next}
              onChange={(event) => setNext(event.target.value)}
            />
          )}
        </Field>
      </Pair>
      <Row>
        <Button type="submit" disabled={!old || !next}>
          {t.settings.changePassword}
        </Button>
      </Row>
    </Form>
  );
}
