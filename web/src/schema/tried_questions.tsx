import type { DataProfile } from "../api/types";
import { useText } from "../i18n";
import { Icon } from "../ui/icons";
import { Text } from "../ui/text";
import { Tries } from "../ui/tries";
import styles from "./tried_questions.module.css";

/** Questions that were asked of this very database and answered, each with its answer. */
export function TriedQuestions({ profile, onAsk }: { profile: DataProfile; onAsk: (question: string) => void }) {
  const t = useText();
  const working = profile.status === "working";
  if (!working && !profile.questions.length) return null;
  return (
    <section aria-label={t.firstLook.tried}>
      <h2>{t.firstLook.tried}</h2>
      {working && (
        <Text muted small role="status">
          {t.firstLook.trying(profile.done, profile.total)}
        </Text>
      )}
      <Tries>
        {profile.questions.map((each) => (
          <li key={each.question}>
            <button type="button" onClick={() => onAsk(each.question)}>
              <Icon name="check" size={16} />
              <span className={styles.answered}>
                {each.question}
                <small>{each.answer}</small>
              </span>
            </button>
          </li>
        ))}
      </Tries>
    </section>
  );
}
