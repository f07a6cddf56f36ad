import { useState } from "react";
import { get, patch, post, put, remove } from "../api/client";
import type { UserInfo } from "../api/types";
import { useIdentity } from "../app/identity";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { formatMoment } from "../i18n/format";
import { Button, IconButton } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field, Select } from "../ui/field";
import { notify, Problem, useAttempt } from "../ui/notice";
import { Grants } from "./grants";
import { PlainTable } from "./plain_table";

type Role = UserInfo["role"];
const ROLES: Role[] = ["viewer", "analyst", "admin"];

/** Who may sign in, and as what. */
export function Users() {
  const t = useText();
  const { language } = usePreferences();
  const { me } = useIdentity();
  const attempt = useAttempt();
  const [adding, setAdding] = useState(false);
  const [resetting, setResetting] = useState<UserInfo | null>(null);
  const [granting, setGranting] = useState<UserInfo | null>(null);
  const users = useLoad("users", () => get("/users"));
  const after = async (action: Promise<unknown>) => {
    await attempt(() => action);
    await users.reload();
  };
  if (users.error) return <Problem error={users.error} onRetry={users.reload} />;
  const roles = ROLES.map((role) => ({ value: role, label: t.settings.roles[role] ?? role }));
  return (
    <div className="stack">
      <div className="row end">
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
          {t.settings.addUser}
        </Button>
      </div>
      <PlainTable
        label={t.settings.users}
        head={[t.login.name, t.settings.role, t.settings.created, ""]}
        rows={(users.data ?? []).map((user) => [
          <>
            {user.name} {user.disabled && <span className="badge warn">{t.settings.disabled}</span>}
          </>,
          <Select
            hidden
            label={`${t.settings.role}: ${user.name}`}
            value={user.role}
            choices={roles}
            onChange={(role) => void after(patch("/users/{user_id}", { path: { user_id: user.id }, body: { role } }))}
          />,
          formatMoment(user.created, language),
          user.id !== me.id && (
            <span className="row end">
              {user.has_password && (
                <Button kind="quiet" icon="key" onClick={() => setResetting(user)}>
                  {t.settings.resetPassword}
                </Button>
              )}
              {user.role !== "admin" && (
                <Button kind="quiet" icon="data" onClick={() => setGranting(user)}>
                  {t.settings.databases}
                </Button>
              )}
              <Button
                kind="quiet"
                onClick={() =>
                  void after(
                    patch("/users/{user_id}", { path: { user_id: user.id }, body: { disabled: !user.disabled } }),
                  )
                }
              >
                {user.disabled ? t.settings.enable : t.settings.disable}
              </Button>
              <IconButton
                icon="trash"
                label={`${t.app.remove}: ${user.name}`}
                onClick={() => void after(remove("/users/{user_id}", { path: { user_id: user.id } }))}
              />
            </span>
          ),
        ])}
      />
      {resetting && <ResetPassword user={resetting} onClose={() => setResetting(null)} />}
      {granting && <Grants user={granting} onClose={() => setGranting(null)} onChanged={users.reload} />}
      {adding && <NewUser roles={roles} onClose={() => setAdding(false)} onDone={users.reload} />}
    </div>
  );
}

function ResetPassword({ user, onClose }: { user: UserInfo; onClose: () => void }) {
  const t = useText();
  const [password, setPassword] = useState("");
  const [error, setError] = useState<unknown>(null);
  const save = async () => {
    try {
      await put("/users/{user_id}/password", { path: { user_id: user.id }, body: { password } });
      notify(t.settings.passwordReset(user.name));
      onClose();
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Dialog title={`${t.settings.resetPassword}: ${user.name}`} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label={t.settings.newPassword} help={t.settings.resetHelp}>
          {(id) => (
            <input
              id={id}
              required
              type="password"
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        {error !== null && <Problem error={error} />}
        <div className="row end">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button kind="primary" type="submit">
            {t.app.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function NewUser({
  roles,
  onClose,
  onDone,
}: {
  roles: { value: Role; label: string }[];
  onClose: () => void;
  onDone: () => Promise<void>;
}) {
  const t = useText();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [role, setRole] = useState<Role>("analyst");
  const [error, setError] = useState<unknown>(null);
  const add = async () => {
    try {
      await post("/users", { body: { name, password, role } });
      await onDone();
      onClose();
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Dialog title={t.settings.addUser} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <Field label={t.login.name}>
          {(id) => (
            <input id={id} required autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
        <Field label={t.login.password}>
          {(id) => (
            <input
              id={id}
              required
              type="password"
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <Select label={t.settings.role} value={role} choices={roles} onChange={setRole} />
        {error !== null && <Problem error={error} />}
        <div className="row end">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button kind="primary" type="submit">
            {t.app.add}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
