import { useEffect, useRef, type ReactNode } from "react";
import { useText } from "../i18n";
import { IconButton } from "./button";

type Props = { title: string; onClose: () => void; children: ReactNode; side?: boolean };

/** A native dialog: it traps the focus, closes on Escape and gives the focus back. `side` makes it a drawer. */
export function Dialog({ title, onClose, children, side = false }: Props) {
  const t = useText();
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      className={side ? "drawer" : "dialog"}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === element.current && onClose()}
    >
      <div className="dialog-body">
        <header>
          <h2>{title}</h2>
          <IconButton icon="close" label={t.app.close} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}
