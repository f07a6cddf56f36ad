import { useWorld } from "../app/world";
import { useText } from "../i18n";
import { Icon } from "../ui/icons";
import { VisuallyHidden } from "../ui/text";
import styles from "./place_name.module.css";

/** The database that something was asked of, by its name; nothing of one that is gone or may not be seen. */
export function PlaceName({ id }: { id: string }) {
  const t = useText();
  const { connections } = useWorld();
  const name = id === "auto" ? t.chat.autoDatabase : connections.find((each) => each.id === id)?.name;
  if (!name) return null;
  return (
    <span className={styles.placeName} title={t.app.colon(t.chat.database) + name}>
      <Icon name="data" size={14} />
      <VisuallyHidden>{t.chat.database}: </VisuallyHidden>
      <span>{name}</span>
    </span>
  );
}
