import { useText } from "../i18n";
import { FileButton } from "../ui/file_button";
import { useAttempt } from "../ui/notice";

type Props = { onText: (yaml: string) => Promise<unknown>; onDone: () => Promise<void> };

/** Reads a YAML file of the user's and hands its text over. */
export function YamlImport({ onText, onDone }: Props) {
  const t = useText();
  const attempt = useAttempt();
  const take = async (file: File) => {
    await attempt(async () => onText(await file.text()));
    await onDone();
  };
  return (
    <FileButton kind="quiet" accept=".yaml,.yml" label={t.knowledge.importYaml} onFile={take}>
      {t.knowledge.importYaml}
    </FileButton>
  );
}
