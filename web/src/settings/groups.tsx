import { useState } from "react";
import { get, patch, post, remove } from "../api/client";
import type { GroupInfo, UserInfo } from "../api/types";
import { useLoad } from "../app/load";
import { useText } from "../i18n";
import { Button } from "../ui/button";
import { TextField } from "../ui/field";
import { Check } from "../ui/form";
import { FormDialog } from "../ui/form_dialog";
import { Problem } from "../ui/notice";
import { Stack } from "../ui/page";
import { RemoveButton } from "../ui/remove_button";
import { Row, Spring } from "../ui/row";
import { Text } from "../ui/text";
import { Grants } from "./grants";
import { PlainTable } from "./plain_table";
import { RowAction } from "./row_action";
import styles from "./groups.module.css";

type Props = { users: UserInfo[]; onChanged: () => Promise<void> };

/** Groups of people: who is in each, and what it may ask. */
export function Groups({ users, onChanged }: Props) {
  const t = useText();
  const [editing, setEditing] = useState<GroupInfo | "new" | null>(null);
  const [granting, setGranting] = useState<GroupInfo | null>(null);
  const groups = useLoad("groups", () => get("/groups"));
  const reload = async () => {
    await Promise.all([groups.reload(), onChanged()]);
  };
  const forget = async (group: GroupInfo) => {
    await remove("/groups/{group_id}", { path: { group_id: group.id } });
    await reload();
  };
  if (groups.error) return <Problem error={groups.error} onRetry={groups.reload} />;
  return (
    <Stack as="section">
      <Row className={styles.head}>
        <h2>{t.settings.groups}</h2>
        <Spring />
        <Button icon="plus" onClick={() => setEditing("new")}>
          {t.settings.addGroup}
        </Button>
      </Row>
      <Text muted small>
        {t.settings.groupsHelp}
      </Text>
      <PlainTable
        label={t.settings.groups}
        head={[t.settings.group, t.settings.members, ""]}
        none={t.settings.noGroups}
        rows={(groups.data ?? []).map((group) => [
          group.name,
          group.members.join(", "),
          <span className={styles.actions}>
            <RowAction word={t.settings.members} whose={group.name} icon="person" onClick={() => setEditing(group)} />
            <RowAction word={t.settings.databases} whose={group.name} icon="data" onClick={() => setGranting(group)} />
            <RemoveButton what={group.name} onRemove={() => forget(group)} />
          </span>,
        ])}
      />
      {editing && (
        <GroupForm
          group={editing === "new" ? undefined : editing}
          users={users}
          onClose={() => setEditing(null)}
          onDone={reload}
        />
      )}
      {granting && (
        <Grants
          subject={{ kind: "group", id: granting.id, name: granting.name }}
          onClose={() => setGranting(null)}
          onChanged={reload}
        />
      )}
    </Stack>
  );
}

type FormProps = { group?: GroupInfo; users: UserInfo[]; onClose: () => void; onDone: () => Promise<void> };

function GroupForm({ group, users, onClose, onDone }: FormProps) {
  const t = useText();
  const [name, setName] = useState(group?.name ?? "");
  const [members, setMembers] = useState(group?.members ?? []);
  const toggle = (user: string) =>
    setMembers(members.includes(user) ? members.filter((each) => each !== user) : [...members, user]);
  const save = async () => {
    await (group
      ? patch("/groups/{group_id}", { path: { group_id: group.id }, body: { name, members } })
      : post("/groups", { body: { name, members } }));
    await onDone();
  };
  return (
    <FormDialog
      title={group ? t.settings.editGroup(group.name) : t.settings.addGroup}
      action={group ? undefined : t.app.add}
      ready={name.trim() !== ""}
      onClose={onClose}
      onSend={save}
    >
      <TextField label={t.settings.groupName} required maxLength={100} value={name} onText={setName} />
      <fieldset className={styles.members}>
        <legend>{t.settings.members}</legend>
        {users.map((user) => (
          <Check key={user.id}>
            <input type="checkbox" checked={members.includes(user.name)} onChange={() => toggle(user.name)} />
            <span>{user.name}</span>
          </Check>
        ))}
      </fieldset>
    </FormDialog>
  );
}
