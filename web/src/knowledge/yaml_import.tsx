import { useRef } from "react";
import { useText } from "../i18n";
import { Button } from "../ui/button";
import { useAttempt } from "../ui/notice";

/** Reads a YAML file of the user's and hands its text over. */
export function YamlImport({
  onText,
  onDone,
}: {
  onText: (yaml: string) => Promise<unknown>;
  onDone: () => Promise<void>;
}) {
  const t = useText();
  const attempt = useAttempt();
  const input = useRef<HTMLInputElement>(null);
  const take = async (file: File | undefined) => {
    if (!file) return;
    await attempt(async () => onText(await file.text()));
    if (input.current) input.current.value = "";
    await onDone();
  };
  return (
    <>
      <Button icon="upload" kind="quiet" onClick={() => input.current?.click()}>
        {t.knowledge.importYaml}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".yaml,.yml"
        aria-label={t.knowledge.importYaml}
        onChange={(event) => void take(event.target.files?.[0])}
      />
    </>
  );
}
