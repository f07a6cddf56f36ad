import { useState } from "react";
import { post } from "../api/client";
import { useIdentity } from "../app/identity";
import { useText } from "../i18n";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { notify, useAttempt } from "../ui/notice";
import styles from "./general.module.css";

/** The account; language and theme stand at the foot of the sidebar. */
export function General() {
  const t = useText();
  const { me, signOut } = useIdentity();
  return (
    <section className="stack">
      <h2>{t.settings.account}</h2>
      <p>
        {me.name} <span className="badge">{t.settings.roles[me.role] ?? me.role}</span>
      </p>
      {me.has_password && <Password />}
      <div className="row">
        <Button icon="exit" onClick={signOut}>
          {t.login.signOut}
        </Button>
      </div>
    </section>
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
    <form
      className={`form ${styles.password}`}
      onSubmit={(event) => {
        event.preventDefault();
        void change();
      }}
    >
      <div className="pair even">
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
      </div>
      <div className="row">
        <Button type="submit" disabled={!old || !next}>
          {t.settings.changePassword}
        </Button>
      </div>
    </form>
  );
}
