import type { ReactNode } from "react";
import { get } from "../api/client";
import { useMay } from "../app/identity";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { Link, useTitle } from "../app/route";
import { useWorld } from "../app/world";
import { Upload } from "../connections/upload";
import { useText } from "../i18n";
import { TriedQuestions } from "../schema/tried_questions";
import { useProfile } from "../schema/profile";
import { Card, StartCard } from "../ui/card";
import { Icon } from "../ui/icons";
import { Text } from "../ui/text";
import { Tries } from "../ui/tries";
import styles from "./welcome.module.css";

const SHOWN = 6;

/** The first page: the question box, questions that work, and ways to bring data. */
export function Welcome({ children, onAsk }: { children: ReactNode; onAsk: (question: string) => void }) {
  const t = useText();
  const may = useMay();
  const { language } = usePreferences();
  const { connection, connections, saved } = useWorld();
  const chosen = connections.find((each) => each.id === connection) ?? connections[0];
  const samples = useLoad(chosen ? `samples ${chosen.id}` : null, () =>
    get("/connections/{connection_id}/samples", { path: { connection_id: chosen!.id } }),
  );
  const health = useLoad("health", () => get("/health/ready"));
  useTitle("");
  const verified = (samples.data ?? []).filter((sample) => sample.approved && !sample.problem);
  const spoken = verified.filter((sample) => sample.language === language);
  const shown = (spoken.length ? spoken : verified).slice(0, SHOWN);
  // Of a database that nobody taught anything, questions are tried until some are known to work.
  const profile = useProfile(chosen && samples.data && !verified.length ? chosen.id : null);
  const pinned = saved.filter((each) => each.pinned && each.connection_id === chosen?.id).slice(0, SHOWN);
  const model = health.data?.checks.find((check) => check.name === "model");
  return (
    <div className={styles.welcome}>
      <div className={styles.welcomeInner}>
        <h1>{t.welcome.title}</h1>
        {chosen && (
          <Text muted className={styles.lead}>
            {chosen.id === "demo" ? t.welcome.demo : t.welcome.about(chosen.name)}
          </Text>
        )}
        {children}
        {model && !model.ok && (
          <Card as={Link} href="/settings/model" className={styles.hintCard}>
            <Icon name="alert" />
            <span>
              <b>{t.welcome.modelMissing}</b>
              <small>{t.welcome.modelMissingHelp}</small>
            </span>
          </Card>
        )}
        {pinned.length > 0 && (
          <section aria-label={t.saved.pinned}>
            <h2>{t.saved.pinned}</h2>
            <Tries>
              {pinned.map((each) => (
                <li key={each.id}>
                  <button type="button" onClick={() => onAsk(each.question)}>
                    <Icon name="pin" size={16} />
                    <span>{each.title || each.question}</span>
                  </button>
                </li>
              ))}
            </Tries>
          </section>
        )}
        {shown.length > 0 && (
          <section aria-label={t.welcome.try}>
            <h2>{t.welcome.try}</h2>
            <Tries>
              {shown.map((sample) => (
                <li key={sample.id}>
                  <button type="button" onClick={() => onAsk(sample.question)}>
                    <Icon name="shield" size={16} />
                    <span>{sample.question}</span>
                  </button>
                </li>
              ))}
            </Tries>
          </section>
        )}
        {profile.data && <TriedQuestions profile={profile.data} onAsk={onAsk} />}
        {may("upload") && (
          <section aria-label={t.welcome.start}>
            <h2>{t.welcome.start}</h2>
            <div className={styles.starts}>
              {may("upload") && <Upload />}
              {may("connections") && (
                <StartCard as={Link} href="/data/new">
                  <Icon name="data" size={20} />
                  <b>{t.welcome.connect}</b>
                  <small>{t.welcome.connectHelp}</small>
                </StartCard>
              )}
              {may("operate") && (
                <StartCard as={Link} href="/settings/model">
                  <Icon name="sparkle" size={20} />
                  <b>{t.welcome.model}</b>
                  <small>{t.welcome.modelHelp}</small>
                </StartCard>
              )}
            </div>
          </section>
        )}
      </div>
    </div>
  );
}
