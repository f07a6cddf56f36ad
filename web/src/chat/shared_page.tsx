import { get } from "../api/client";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useTitle } from "../app/route";
import { useText } from "../i18n";
import { formatMoment } from "../i18n/format";
import { Problem } from "../ui/notice";
import { Page } from "../ui/page";
import { Text, VisuallyHidden } from "../ui/text";
import { turnOf } from "./turn";
import { TurnView } from "./turn_view";
import { ChatColumn, Turns } from "./column";
import styles from "./shared_page.module.css";

const nothing = () => undefined;

/** Somebody's conversation, to be read: no more of it than the reader could have asked. */
export default function SharedPage({ share }: { share: string }) {
  const t = useText();
  const { language } = usePreferences();
  const shared = useLoad(`shared ${share}`, () => get("/shared/{share_id}", { path: { share_id: share } }));
  useTitle(shared.data?.title ?? "");
  if (shared.error)
    return (
      <Page>
        <Problem error={shared.error} onRetry={shared.reload} />
      </Page>
    );
  if (!shared.data)
    return (
      <Page as="p" muted>
        {t.app.loading}
      </Page>
    );
  const { answers, owner, changed, hidden } = shared.data;
  const settled = answers.filter((answer) => answer.status !== "clarification" && answer.status !== "approval");
  return (
    <ChatColumn>
      <Turns>
        <VisuallyHidden as="h1">{shared.data.title}</VisuallyHidden>
        <Text muted className={styles.sharedHead}>
          {t.chat.sharedBy} · {owner} · {formatMoment(changed, language)}
          {hidden > 0 && ` · ${t.chat.hidden(hidden)}`}
        </Text>
        {settled.map((answer, place) => (
          <TurnView
            key={place}
            turn={turnOf(answer, String(place))}
            threadId=""
            connection={answer.connection_id ?? ""}
            last={place === settled.length - 1}
            idle={false}
            readOnly
            mayRun={false}
            saved={false}
            onAsk={nothing}
            onVersion={nothing}
            onReply={nothing}
            onSave={nothing}
          />
        ))}
      </Turns>
    </ChatColumn>
  );
}
