import { useState } from "react";
import { get, patch, post, put, remove } from "../api/client";
import type { GrantInfo, UserInfo } from "../api/types";
import { useIdentity } from "../app/identity";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useWorld } from "../app/world";
import { useText } from "../i18n";
import { formatMoment } from "../i18n/format";
import { Button, IconButton } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field, Select } from "../ui/field";
import { Problem, useAttempt } from "../ui/notice";
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
      {granting && <Grants user={granting} onClose={() => setGranting(null)} />}
      {adding && <NewUser roles={roles} onClose={() => setAdding(false)} onDone={users.reload} />}
    </div>
  );
}

/** The databases a user may ask, all of each; finer rules are set by `inquery users grant` and only named here. */
function Grants({ user, onClose }: { user: UserInfo; onClose: () => void }) {
  const t = useText();
  const attempt = useAttempt();
  const { connections } = useWorld();
  const grants = useLoad(`grants ${user.id}`, () => get("/grants"));
  const own = (grants.data ?? []).filter((grant) => grant.kind === "user" && grant.subject === user.name);
  const toggle = async (connection: string) => {
    const found = own.find((grant) => grant.connection_id === connection);
    await attempt(() =>
      found
        ? remove("/grants/{grant_id}", { path: { grant_id: found.id } })
        : put("/grants", { body: { connection_id: connection, kind: "user", subject: user.id } }),
    );
    await grants.reload();
  };
  const limited = (grant: GrantInfo | undefined) =>
    grant !== undefined &&
    (grant.rules.tables != null ||
      (grant.rules.hidden_columns ?? []).length > 0 ||
      Object.keys(grant.rules.row_filters ?? {}).length > 0);
  return (
    <Dialog title={`${t.settings.databases}: ${user.name}`} onClose={onClose}>
      {grants.error && <Problem error={grants.error} onRetry={grants.reload} />}
      <ul className="lines">
        {connections.map((connection) => {
          const grant = own.find((each) => each.connection_id === connection.id);
          return (
            <li key={connection.id}>
              <label className="check">
                <input
                  type="checkbox"
                  disabled={!grants.data}
                  checked={grant !== undefined}
                  onChange={() => void toggle(connection.id)}
                />
                <span>{connection.name}</span>
                {limited(grant) && <span className="badge">{t.settings.limited}</span>}
              </label>
            </li>
          );
        })}
      </ul>
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
