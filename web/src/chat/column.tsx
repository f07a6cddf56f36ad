import type { ComponentProps } from "react";
import { dressed } from "../ui/dressed";
import styles from "./column.module.css";

/** What a conversation scrolls in; the page around it stays where it is. */
export function ChatColumn(given: ComponentProps<"div">) {
  return <div className={styles.chat} data-scrolls {...given} />;
}

/** The turns of a conversation, one below the other. */
export const Turns = dressed("div", styles.turns);
