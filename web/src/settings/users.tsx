import { useState } from "react";
import { get, patch, post, put, remove } from "../api/client";
import type { UserInfo } from "../api/types";
import { useIdentity } from "../app/identity";
import { useLoad } from "../app/load";
import { useText } from "../i18n";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { copyText } from "../ui/copy";
import { Select, TextField } from "../ui/field";
import { Check } from "../ui/form";
import { FormDialog } from "../ui/form_dialog";
import { notify, Problem, useAttempt } from "../ui/notice";
import { Stack } from "../ui/page";
import { RemoveButton } from "../ui/remove_button";
import { Row } from "../ui/row";
import { When } from "../ui/when";
import { Grants } from "./grants";
import { Groups } from "./groups";
import { PlainTable } from "./plain_table";
import { RowAction } from "./row_action";
import { Sees } from "./sees";
import styles from "./groups.module.css";

type Role = UserInfo["role"];
const ROLES: Role[] = ["viewer", "analyst", "admin"];

/** Who may sign in, and as what. */
export function Users() {
  const t = useText();
  const { me } = useIdentity();
  const attempt = useAttempt();
  const [adding, setAdding] = useState(false);
  const [resetting, setResetting] = useState<UserInfo | null>(null);
  const [looking, setLooking] = useState<UserInfo | null>(null);
  const [granting, setGranting] = useState<UserInfo | null>(null);
  const users = useLoad("users", () => get("/users"));
  const after = async (action: Promise<unknown>) => {
    await attempt(() => action);
    await users.reload();
  };
  if (users.error) return <Problem error={users.error} onRetry={users.reload} />;
  const roles = ROLES.map((role) => ({ value: role, label: t.settings.roles[role] ?? role }));
  return (
    <Stack>
      <Row end>
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
          {t.settings.addUser}
        </Button>
      </Row>
      <PlainTable
        label={t.settings.users}
        head={[t.login.name, t.settings.role, t.settings.groups, t.settings.created, ""]}
        rows={(users.data ?? []).map((user) => [
          <>
            {user.name} {user.disabled && <Badge kind="warn">{t.settings.disabled}</Badge>}
          </>,
          <Select
            hidden
            label={t.app.colon(t.settings.role) + user.name}
            value={user.role}
            choices={roles}
            onChange={(role) => void after(patch("/users/{user_id}", { path: { user_id: user.id }, body: { role } }))}
          />,
          user.groups.join(", "),
          <When day at={user.created} />,
          user.id !== me.id && (
            <span className={styles.actions}>
              {user.has_password && (
                <RowAction
                  word={t.settings.resetPassword}
                  whose={user.name}
                  icon="key"
                  onClick={() => setResetting(user)}
                />
              )}
              <RowAction word={t.settings.sees} whose={user.name} icon="search" onClick={() => setLooking(user)} />
              {user.role !== "admin" && (
                <RowAction
                  word={t.settings.databases}
                  whose={user.name}
                  icon="data"
                  onClick={() => setGranting(user)}
                />
              )}
              <RowAction
                word={user.disabled ? t.settings.enable : t.settings.disable}
                whose={user.name}
                onClick={() =>
                  void after(
                    patch("/users/{user_id}", { path: { user_id: user.id }, body: { disabled: !user.disabled } }),
                  )
                }
              />
              <RemoveButton
                what={user.name}
                onRemove={async () => {
                  await remove("/users/{user_id}", { path: { user_id: user.id } });
                  await users.reload();
                }}
              />
            </span>
          ),
        ])}
      />
      {looking && <Sees user={looking} onClose={() => setLooking(null)} />}
      {resetting && <ResetPassword user={resetting} onClose={() => setResetting(null)} />}
      {granting && (
        <Grants
          subject={{ kind: "user", id: granting.id, name: granting.name }}
          user={granting}
          onClose={() => setGranting(null)}
          onChanged={users.reload}
        />
      )}
      <Groups users={users.data ?? []} onChanged={users.reload} />
      {adding && <NewUser roles={roles} onClose={() => setAdding(false)} onDone={users.reload} />}
    </Stack>
  );
}

function ResetPassword({ user, onClose }: { user: UserInfo; onClose: () => void }) {
  const t = useText();
  const [password, setPassword] = useState("");
  const save = async () => {
    await put("/users/{user_id}/password", { path: { user_id: user.id }, body: { password } });
    notify(t.settings.passwordReset(user.name));
  };
  return (
    <FormDialog title={t.app.colon(t.settings.resetPassword) + user.name} onClose={onClose} onSend={save}>
      <TextField
        label={t.settings.newPassword}
        help={t.settings.resetHelp}
        required
        type="password"
        autoComplete="new-password"
        value={password}
        onText={setPassword}
      />
    </FormDialog>
  );
}

const LETTERS = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** Twenty letters that nobody can guess, without those that look alike. */
function firstPassword(): string {
  const letters: string[] = [];
  while (letters.length < 20) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    // The last bytes would make some letters likelier than others.
    if (byte < 256 - (256 % LETTERS.length)) letters.push(LETTERS[byte % LETTERS.length]!);
  }
  return letters.join("");
}

type NewUserProps = { roles: { value: Role; label: string }[]; onClose: () => void; onDone: () => Promise<void> };

/** A person with a password of the administrator's, or invited by a message with one that is made here and told once. */
function NewUser({ roles, onClose, onDone }: NewUserProps) {
  const t = useText();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [invites, setInvites] = useState(false);
  const [role, setRole] = useState<Role>("analyst");
  const add = async () => {
    const given = invites ? firstPassword() : password;
    await post("/users", { body: { name, password: given, role } });
    if (invites) {
      await copyText(t.settings.invitation(location.origin, name, given));
      notify(t.settings.invited(name));
    }
    await onDone();
  };
  return (
    <FormDialog title={t.settings.addUser} action={t.app.add} onClose={onClose} onSend={add}>
      <TextField label={t.login.name} required value={name} onText={setName} />
      <Check>
        <input type="checkbox" checked={invites} onChange={(event) => setInvites(event.target.checked)} />
        <span>{t.settings.invite}</span>
      </Check>
      {!invites && (
        <TextField
          label={t.login.password}
          required
          type="password"
          autoComplete="new-password"
          value={password}
          onText={setPassword}
        />
      )}
      <Select label={t.settings.role} value={role} choices={roles} onChange={setRole} />
    </FormDialog>
  );
}
