import { useText } from "../i18n";
import { Button } from "../ui/button";
import type { IconName } from "../ui/icons";

/** A button of a row; who hears the page is told of which row. */
export function RowAction(props: { word: string; whose: string; icon?: IconName; onClick: () => void }) {
  const { word, whose, icon, onClick } = props;
  const t = useText();
  return (
    <Button kind="quiet" icon={icon} aria-label={t.app.colon(word) + whose} onClick={onClick}>
      {word}
    </Button>
  );
}
