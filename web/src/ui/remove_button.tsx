import { useState } from "react";
import { useText } from "../i18n";
import { IconButton } from "./button";
import { FormDialog } from "./form_dialog";

type Props = {
  /** What goes, as a person calls it. */
  what: string;
  /** What the button says; "Delete" where nothing is said. */
  action?: string;
  onRemove: () => Promise<unknown>;
};

/** Takes something away for good, once a person said that they mean it. */
export function RemoveButton({ what, action, onRemove }: Props) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const word = action ?? t.app.remove;
  return (
    <>
      <IconButton icon="trash" label={t.app.colon(word) + what} onClick={() => setAsking(true)} />
      {asking && (
        <FormDialog danger title={t.app.sure} action={word} onClose={() => setAsking(false)} onSend={onRemove}>
          <p>{what}</p>
        </FormDialog>
      )}
    </>
  );
}
