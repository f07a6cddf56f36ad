import type { DataProfile } from "../api/types";
import { useMay } from "../app/identity";
import { usePreferences } from "../app/preferences";
import { go } from "../app/route";
import { useWorld } from "../app/world";
import { useText } from "../i18n";
import { formatDate, formatNumber } from "../i18n/format";
import { LinkButton } from "../ui/button";
import { Card } from "../ui/card";
import { Icon } from "../ui/icons";
import { Warnings } from "../ui/lists";
import { Problem } from "../ui/notice";
import { Stack } from "../ui/page";
import { Text } from "../ui/text";
import { Dictionary } from "./dictionary";
import { plainTable } from "./plain_table";
import { useProfile } from "./profile";
import { SetUp } from "./set_up";
import { TriedQuestions } from "./tried_questions";
import styles from "./first_look.module.css";

/** A database for whoever sees it first: what is in it, what can be asked, and what only a person can say of it. */
export function FirstLook({ connection, onChoose }: { connection: string; onChoose: (table: string) => void }) {
  const t = useText();
  const may = useMay();
  const world = useWorld();
  const profile = useProfile(connection);
  const ask = (question: string) => {
    world.chooseConnection(connection);
    go("/", { ask: question });
  };
  if (profile.error) return <Problem error={profile.error} onRetry={profile.reload} />;
  if (!profile.data) return <Text muted>{t.app.loading}</Text>;
  return (
    <Stack>
      <Numbers profile={profile.data} />
      <TriedQuestions profile={profile.data} onAsk={ask} />
      {may("glossary") && <SetUp connection={connection} />}
      <MainTables profile={profile.data} onChoose={onChoose} />
      {profile.data.notes.length > 0 && <Notes profile={profile.data} />}
      {may("glossary") && <Dictionary connection={connection} />}
    </Stack>
  );
}

function Numbers({ profile }: { profile: DataProfile }) {
  const t = useText();
  const { language } = usePreferences();
  const span = [profile.first, profile.last].filter(Boolean).map((day) => formatDate(day, language));
  const figures: [string, string][] = [
    [t.data.tables, formatNumber(profile.tables, language)],
    [t.data.columns, formatNumber(profile.columns, language)],
    ...(profile.rows === null ? [] : [[t.settings.rows, formatNumber(profile.rows, language)] as [string, string]]),
    ...(span.length ? [[t.answer.period, span.join(` ${t.answer.until} `)] as [string, string]] : []),
  ];
  return (
    <dl className={styles.figures}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function MainTables({ profile, onChoose }: { profile: DataProfile; onChoose: (table: string) => void }) {
  const t = useText();
  const { language } = usePreferences();
  if (!profile.main.length) return null;
  return (
    <section aria-label={t.firstLook.main}>
      <h2>{t.firstLook.main}</h2>
      <ul className={styles.main}>
        {profile.main.map((each) => (
          <Card as="li" key={each.table}>
            <LinkButton type="button" onClick={() => onChoose(each.table)}>
              {each.called}
            </LinkButton>
            <Text as="span" muted small>
              {[
                each.rows !== null && t.data.rows(formatNumber(each.rows, language)),
                each.called !== plainTable(each.table, profile) && plainTable(each.table, profile),
              ]
                .filter(Boolean)
                .join(" · ")}
            </Text>
            {each.measures.length > 0 && (
              <Text small>
                <Text as="span" muted>
                  {t.app.colon(t.knowledge.metrics)}
                </Text>
                {each.measures.join(t.app.comma)}
              </Text>
            )}
            {each.groups.length > 0 && (
              <Text small>
                <Text as="span" muted>
                  {t.app.colon(t.firstLook.by)}
                </Text>
                {each.groups.join(t.app.comma)}
              </Text>
            )}
          </Card>
        ))}
      </ul>
    </section>
  );
}

/** How the tables of a file were read. */
function Notes({ profile }: { profile: DataProfile }) {
  const t = useText();
  const { language } = usePreferences();
  return (
    <section aria-label={t.firstLook.notes}>
      <h2>{t.firstLook.notes}</h2>
      <Warnings>
        {profile.notes.map((note, place) => (
          <li key={place}>
            <Icon name="alert" size={14} />
            <span>
              {t.app.colon(plainTable(note.table, profile))}
              {note[language]}
            </span>
          </li>
        ))}
      </Warnings>
    </section>
  );
}
