import { useRef, useState, type ReactNode } from "react";
import { Button } from "./button";

type Props = {
  /** What the file is for, told to whoever cannot see the button. */
  label: string;
  accept: string;
  kind?: "plain" | "quiet";
  onFile: (file: File) => unknown;
  children: ReactNode;
};

/** Chooses a file; the browser's own control speaks its own language and looks like no other button. */
export function FileButton({ label, accept, kind, onFile, children }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const take = async (file: File | undefined) => {
    if (!file) return;
    setBusy(true);
    await onFile(file);
    setBusy(false);
  };
  return (
    <>
      <Button icon="upload" kind={kind} busy={busy} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = ""; // so that the same file can be chosen again
        }}
      />
    </>
  );
}
