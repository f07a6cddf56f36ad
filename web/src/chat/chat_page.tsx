import { useCallback, useEffect, useEffectEvent, useRef, useState, type RefObject } from "react";
import { post } from "../api/client";
import { useMay } from "../app/identity";
import { prefer, usePreferences } from "../app/preferences";
import { go, Link, questionToAsk, useTitle } from "../app/route";
import { useWorld } from "../app/world";
import { useText } from "../i18n";
import { Button, ButtonLink, IconButton } from "../ui/button";
import { copyText, fileStem, saveAs } from "../ui/copy";
import { Icon } from "../ui/icons";
import { Menu } from "../ui/menu";
import { notify, Problem, useAttempt } from "../ui/notice";
import { Text, VisuallyHidden } from "../ui/text";
import { Composer, type ComposerHandle } from "./composer";
import { useConversation } from "./conversation";
import { asMarkdown, asNotebook } from "./export";
import { correctedTurn, type Correction, type Turn } from "./turn";
import { TurnView } from "./turn_view";
import { Welcome } from "./welcome";
import { ChatColumn, Turns } from "./column";
import styles from "./chat_page.module.css";

const NEAR_THE_END = 160;

/** The conversation: a welcome before the first question, then turn after turn. */
export function ChatPage({ threadId }: { threadId: string }) {
  const t = useText();
  const world = useWorld();
  const may = useMay();
  const attempt = useAttempt();
  const { analyst, language, model } = usePreferences();
  const composer = useRef<ComposerHandle>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const stays = useRef(false);
  const reloadThreads = world.reload.threads;
  const onThread = useCallback(
    (id: string) => {
      go(`/t/${encodeURIComponent(id)}`, { replace: true });
      void reloadThreads();
    },
    [reloadThreads],
  );
  const onEnd = useCallback(() => void reloadThreads(), [reloadThreads]);
  const talk = useConversation(threadId, { onThread, onEnd });
  /** Where a turn was asked: what the answer says, else what the conversation began with. */
  const place = (turn: Turn) =>
    turn.answer?.connection_id || turn.answer?.provenance.connection || talk.connection || world.connection;
  // A conversation begun here has no database of its own until its first answer says which it was.
  const about = talk.connection || (talk.turns.length ? place(talk.turns.at(-1)!) : "");
  const nameOf = (id: string) => world.connections.find((each) => each.id === id)?.name ?? "";
  useTitle([talk.title, nameOf(about)].filter(Boolean).join(" · "));

  const running = talk.turns.findLast((turn) => turn.phase === "running" || turn.phase === "broken");
  const fresh = !talk.turns.length && !talk.loading && !talk.error;
  const known = world.profiles.some((profile) => profile.id === analyst) ? analyst : "";
  const chosenModel = model === "embedded" || world.models.some((each) => each.name === model) ? model : "";
  const busy = running !== undefined;
  const start = talk.connection || world.connection;
  const { ask: begin, show: showVersion } = talk;
  const ask = useCallback(
    (question: string, { refresh = false, replaces }: { refresh?: boolean; replaces?: Turn } = {}) => {
      if (!busy) begin(question, { connection: start, analyst: known, model: chosenModel, refresh, replaces });
    },
    [busy, begin, start, known, chosenModel],
  );

  // A new turn begins at the top, so that its answer is read from its first line while it grows.
  const size = talk.turns.length;
  useEffect(() => {
    if (stays.current) return;
    scroller.current?.querySelector("article:last-of-type")?.scrollIntoView({ block: "start" });
  }, [size]);

  const askWaiting = useEffectEvent(() => {
    const question = threadId ? "" : questionToAsk();
    if (question) ask(question);
  });
  useEffect(() => askWaiting(), [threadId]);

  useEffect(() => {
    const slash = (event: KeyboardEvent) => {
      const typing = (event.target as HTMLElement).closest("input, textarea, select, dialog");
      if (event.key !== "/" || typing || event.metaKey || event.ctrlKey) return;
      event.preventDefault();
      composer.current?.focus();
    };
    document.addEventListener("keydown", slash);
    return () => document.removeEventListener("keydown", slash);
  }, []);

  const share = () =>
    attempt(async () => {
      const link = await post("/threads/{thread_id}/share", { path: { thread_id: talk.threadId } });
      await copyText(location.origin + link.path);
      notify(t.chat.shared);
    });
  /** The conversation as a file; a PDF is made by the browser's own printing. */
  const take = (kind: "md" | "ipynb") => {
    const title = talk.title || talk.turns[0]?.question || "Inquery";
    const turns = talk.turns.map((turn) => {
      const correction = corrections.current.get(turn.key);
      return correction ? correctedTurn(turn, correction) : turn;
    });
    const database = (turn: Turn) => nameOf(place(turn));
    const text = (kind === "md" ? asMarkdown : asNotebook)({ title, turns, database, language });
    saveAs(
      new Blob([text], { type: kind === "md" ? "text/markdown" : "application/json" }),
      `${fileStem(title)}.${kind}`,
    );
  };
  /** What a person put right is taken along as it was put right. */
  const corrections = useRef(new Map<string, Correction>());
  const correct = useCallback((turn: Turn, correction: Correction | null) => {
    if (correction) corrections.current.set(turn.key, correction);
    else corrections.current.delete(turn.key);
  }, []);
  /** Another version is read where the one before it was. */
  const show = useCallback(
    (runId: string) =>
      attempt(async () => {
        stays.current = true;
        await showVersion(runId).finally(() => setTimeout(() => (stays.current = false)));
      }),
    [attempt, showVersion],
  );
  const { toggleSaved } = world;
  const save = useCallback(
    (question: string, connection: string) => void attempt(() => toggleSaved(question, connection)),
    [attempt, toggleSaved],
  );
  const here = about || world.connection;
  const asked = new Set(talk.turns.map(place));
  const mayTake = world.connections.every((each) => each.downloads || !asked.has(each.id));
  const absent = talk.error !== null && !talk.turns.length;
  const box = (
    <Composer
      ref={composer}
      placeholder={fresh ? t.chat.placeholder : t.chat.followup}
      running={busy}
      last={talk.turns.at(-1)?.question ?? ""}
      connections={world.connections}
      connection={here}
      onConnection={fresh ? world.chooseConnection : undefined}
      profiles={world.profiles}
      analyst={known}
      onAnalyst={(id) => prefer({ analyst: id })}
      models={world.models}
      model={chosenModel}
      onModel={(name) => prefer({ model: name })}
      onSend={(question) => ask(question)}
      onStop={() => running && talk.stop(running)}
    />
  );
  if (fresh) return <Welcome onAsk={(question) => ask(question)}>{box}</Welcome>;
  return (
    <ChatColumn ref={scroller}>
      <VisuallyHidden as="h1">{talk.title || t.chat.log}</VisuallyHidden>
      <Turns role="log" aria-label={t.chat.log} aria-live="polite" aria-relevant="additions">
        {talk.threadId && size > 0 && (
          <div className={styles.head}>
            {may("share") && (
              <Button kind="quiet" icon="share" aria-label={t.chat.share} onClick={share}>
                {t.chat.share}
              </Button>
            )}
            {mayTake && (
              <Menu
                label={t.chat.takeAlong}
                items={[
                  { label: t.chat.asMarkdown, icon: "text", onSelect: () => take("md") },
                  { label: t.chat.asNotebook, icon: "code", onSelect: () => take("ipynb") },
                  { label: t.chat.asPdf, icon: "report", onSelect: () => window.print() },
                ]}
              >
                <Icon name="download" size={16} />
              </Menu>
            )}
          </div>
        )}
        {talk.loading && <Text muted>{t.app.loading}</Text>}
        {talk.error !== null && <Problem error={talk.error} />}
        {absent && (
          <ButtonLink as={Link} href="/" className={styles.back}>
            {t.nav.ask}
          </ButtonLink>
        )}
        {talk.turns.map((turn, index) => (
          <TurnView
            key={turn.key}
            turn={turn}
            threadId={talk.threadId}
            connection={place(turn)}
            last={index === size - 1}
            idle={!busy}
            mayRun={may("sql")}
            saved={world.saved.some((each) => each.mine && each.question === turn.question)}
            onAsk={ask}
            onVersion={show}
            onReply={talk.reply}
            onSave={save}
            onCorrected={correct}
          />
        ))}
      </Turns>
      <div className={styles.dock} data-dock>
        <ToEnd scroller={scroller} />
        {!absent && box}
      </div>
    </ChatColumn>
  );
}

/** Leads back to the newest answer; it alone is drawn again while a conversation is scrolled. */
function ToEnd({ scroller }: { scroller: RefObject<HTMLDivElement | null> }) {
  const t = useText();
  const [away, setAway] = useState(false);
  useEffect(() => {
    const frame = scroller.current!;
    const look = () => setAway(frame.scrollHeight - frame.scrollTop - frame.clientHeight > NEAR_THE_END);
    frame.addEventListener("scroll", look, { passive: true });
    return () => frame.removeEventListener("scroll", look);
  }, [scroller]);
  if (!away) return null;
  const toEnd = () => scroller.current?.scrollTo({ top: scroller.current.scrollHeight, behavior: "smooth" });
  return <IconButton className={styles.toEnd} icon="down" label={t.chat.newest} onClick={toEnd} />;
}
