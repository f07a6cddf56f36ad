import { classes } from "./dressed";
import { Icon } from "./icons";
import styles from "./search_box.module.css";

type Props = { label: string; value: string; onText: (words: string) => void; grow?: boolean };

/** Words to find something by. */
export function SearchBox({ label, value, onText, grow }: Props) {
  return (
    <div className={classes(styles.search, grow && styles.grow)}>
      <Icon name="search" size={15} />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onText(event.target.value)}
      />
    </div>
  );
}
