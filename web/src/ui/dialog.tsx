import { useLayoutEffect, useRef, type ReactNode } from "react";
import { useText } from "../i18n";
import { IconButton } from "./button";
import { keepFocus } from "./focus";
import styles from "./dialog.module.css";

type Props = { title: string; onClose: () => void; children: ReactNode; side?: boolean };

const FIELD = "form :is(input, textarea, select):enabled";

/** A native dialog: it traps the focus, closes on Escape and gives the focus back; a form begins at its first field. `side` makes it a drawer. */
export function Dialog({ title, onClose, children, side = false }: Props) {
  const t = useText();
  const element = useRef<HTMLDialogElement>(null);
  // Before it leaves the page, not after: a dialog that is gone gives no focus back.
  useLayoutEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    dialog.querySelector<HTMLElement>(FIELD)?.focus();
    return () => {
      dialog.close();
      keepFocus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      className={side ? styles.drawer : styles.dialog}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === element.current && onClose()}
    >
      <div className={styles.body}>
        <header>
          <h2>{title}</h2>
          <IconButton icon="close" label={t.app.close} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}
