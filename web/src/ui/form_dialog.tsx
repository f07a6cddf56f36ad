import { useState, type ReactNode } from "react";
import { useText } from "../i18n";
import { Row } from "./row";
import { Form } from "./form";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { Problem } from "./notice";

type Props = {
  title: string;
  /** What the button that sends says; "Save" where nothing is said. */
  action?: string;
  ready?: boolean;
  danger?: boolean;
  onClose: () => void;
  /** The dialog closes when this ends well; what goes wrong is said in it, and what was typed stays. */
  onSend: () => Promise<unknown>;
  /** Further buttons, before those that every form has. */
  aside?: ReactNode;
  children: ReactNode;
};

/** A form in a dialog: sent by Enter or its button, left by Escape. */
export function FormDialog({ title, action, ready = true, danger = false, onClose, onSend, aside, children }: Props) {
  const t = useText();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const send = async () => {
    if (busy || !ready) return;
    setBusy(true);
    setError(null);
    try {
      await onSend();
      onClose();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {children}
        {error !== null && <Problem error={error} />}
        <Row end>
          {aside}
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button kind={danger ? "danger" : "primary"} type="submit" busy={busy} disabled={!ready}>
            {action ?? t.app.save}
          </Button>
        </Row>
      </Form>
    </Dialog>
  );
}
