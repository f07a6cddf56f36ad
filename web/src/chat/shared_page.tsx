import { get } from "../api/client";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useTitle } from "../app/route";
import { useText } from "../i18n";
import { formatMoment } from "../i18n/format";
import { Problem } from "../ui/notice";
import { turnOf } from "./turn";
import { TurnView } from "./turn_view";
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
      <div className="page">
        <Problem error={shared.error} onRetry={shared.reload} />
      </div>
    );
  if (!shared.data) return <p className="page muted">{t.app.loading}</p>;
  const { answers, owner, changed, hidden } = shared.data;
  const settled = answers.filter((answer) => answer.status !== "clarification" && answer.status !== "approval");
  return (
    <div className="chat">
      <div className="turns">
        <h1 className="visually-hidden">{shared.data.title}</h1>
        <p className={`muted ${styles.sharedHead}`}>
          {t.chat.sharedBy} · {owner} · {formatMoment(changed, language)}
          {hidden > 0 && ` · ${t.chat.hidden(hidden)}`}
        </p>
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
      </div>
    </div>
  );
}
