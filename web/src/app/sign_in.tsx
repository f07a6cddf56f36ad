import { useState } from "react";
import { ApiError, linkTo, post } from "../api/client";
import type { Me, Ways } from "../api/types";
import { useText } from "../i18n";
import { Button, ButtonLink } from "../ui/button";
import { classes } from "../ui/dressed";
import { Field } from "../ui/field";
import { Form } from "../ui/form";
import { Problem } from "../ui/notice";
import { Text } from "../ui/text";
import { Choices } from "./choices";
import styles from "./sign_in.module.css";

/** Signing in with a password or through the organisation's provider. */
export function SignIn({
  ways,
  expired = false,
  onSignedIn,
}: {
  ways: Ways;
  expired?: boolean;
  onSignedIn: (me: Me) => void;
}) {
  const t = useText();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const enter = async () => {
    setBusy(true);
    setError(null);
    try {
      onSignedIn(await post("/auth/login", { body: { name, password } }));
    } catch (problem) {
      setError(problem instanceof ApiError ? problem : new Error());
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className={classes(styles.signIn, expired && styles.over)}>
      <Form
        carded
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
        }}
      >
        <img src="/mark.svg" alt="" width="40" height="40" />
        <h1>{t.login.title}</h1>
        {expired && <Text muted>{t.login.expired}</Text>}
        {ways.password && (
          <>
            <Field label={t.login.name}>
              {(id) => (
                <input
                  id={id}
                  autoFocus
                  autoComplete="username"
                  required
                  value={name}
                  onChange={(event) => setName(event.target.value)}
                />
              )}
            </Field>
            <Field label={t.login.password}>
              {(id) => (
                <input
                  id={id}
                  type="password"
                  autoComplete="current-password"
                  required
                  value={password}
                  onChange={(event) => setPassword(event.target.value)}
                />
              )}
            </Field>
            {error !== null && <Problem error={error} />}
            <Button kind="primary" type="submit" busy={busy} wide>
              {t.login.signIn}
            </Button>
          </>
        )}
        {ways.oidc && (
          <ButtonLink wide href={linkTo("/auth/oidc/start", { query: { next: location.pathname } })}>
            {t.login.other}
          </ButtonLink>
        )}
        <Choices />
      </Form>
    </main>
  );
}
