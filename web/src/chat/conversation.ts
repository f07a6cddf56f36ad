import { useCallback, useEffect, useReducer, useRef } from "react";
import { ApiError, get, post, Unreachable } from "../api/client";
import { eventsOf, streamQuestion, streamReply, type Watching } from "../api/stream";
import type { Reply, RunEvents, StreamEvent, ThreadHistory } from "../api/types";
import { advance, interrupted, newTurn, opened, replacing, replay, replied, type Turn } from "./turn";

export type Conversation = {
  threadId: string;
  title: string;
  connection: string;
  turns: Turn[];
  loading: boolean;
  error: unknown;
};

type Change =
  | { do: "open"; threadId: string }
  | { do: "loaded"; threadId: string; title: string; connection: string; turns: Turn[] }
  | { do: "refused"; error: unknown }
  | { do: "begin"; turn: Turn; replaces?: string }
  | { do: "named"; threadId: string }
  | { do: "event"; key: string; event: StreamEvent }
  | { do: "turn"; key: string; change: (turn: Turn) => Turn }
  | { do: "renamed"; title: string };

const EMPTY: Conversation = { threadId: "", title: "", connection: "", turns: [], loading: false, error: null };

function changed(state: Conversation, change: Change): Conversation {
  const each = (key: string, make: (turn: Turn) => Turn) => ({
    ...state,
    turns: state.turns.map((turn) => (turn.key === key ? make(turn) : turn)),
  });
  switch (change.do) {
    case "open":
      return { ...EMPTY, threadId: change.threadId, loading: change.threadId !== "" };
    case "loaded":
      return {
        ...state,
        threadId: change.threadId,
        title: change.title,
        connection: change.connection,
        turns: change.turns,
        loading: false,
      };
    case "refused":
      return { ...state, loading: false, error: change.error };
    case "begin":
      return begun(state, change.turn, change.replaces);
    case "named":
      return { ...state, threadId: change.threadId };
    case "event":
      return each(change.key, (turn) => advance(turn, change.event));
    case "turn":
      return each(change.key, change.change);
    case "renamed":
      return { ...state, title: change.title };
  }
}

/** A new turn comes last; one that replaces another takes its place, and what followed that is not shown any more. */
function begun(state: Conversation, turn: Turn, replaces?: string): Conversation {
  const place = state.turns.findIndex((each) => each.key === replaces);
  if (place < 0) return { ...state, turns: [...state.turns, turn], title: state.title || turn.question };
  const old = state.turns[place]!;
  const title = !place && state.title === old.question ? turn.question : state.title;
  return { ...state, title, turns: [...state.turns.slice(0, place), replacing(old, turn)] };
}

const HISTORY_AT_ONCE = 6;

type History = { thread: ThreadHistory; turns: Turn[] };

async function history(threadId: string, known?: ThreadHistory): Promise<History> {
  const thread = known ?? (await get("/threads/{thread_id}", { path: { thread_id: threadId } }));
  const runs: RunEvents[] = [];
  for (let place = 0; place < thread.runs.length; place += HISTORY_AT_ONCE) {
    const some = thread.runs.slice(place, place + HISTORY_AT_ONCE);
    runs.push(...(await Promise.all(some.map((run) => eventsOf(threadId, run)))));
  }
  // A run of another window has not told its question yet: the conversation's title is its first.
  const turns = replay(runs).map((turn) => ({
    ...turn,
    question: turn.question || thread.title,
    versions: thread.versions[turn.begun] ?? [],
    verdict: thread.verdicts[turn.runId] ?? ("none" as const),
  }));
  return { thread, turns };
}

const LOOK_MS = 1000;
const SILENT_MS = 45_000;

/** Follows a run that goes on in another window or worker by its log, until it ends or falls silent. */
async function follow(threadId: string, runId: string, { signal, onEvent }: Watching): Promise<void> {
  let seen = 0;
  for (
    let heard = Date.now();
    Date.now() - heard < SILENT_MS;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  ) {
    if (signal.aborted) return;
    const { ended, events } = await eventsOf(threadId, runId, seen);
    if (signal.aborted) return;
    if (events.length) [seen, heard] = [events.at(-1)!.seq, Date.now()];
    events.forEach(onEvent);
    if (ended) return;
  }
}

type Options = { onThread: (threadId: string) => void; onEnd: () => void };
export type AskOptions = { connection?: string; analyst?: string; model?: string; refresh?: boolean; replaces?: Turn };

/** One conversation: its turns as they were, and as they happen. */
export function useConversation(threadId: string, { onThread, onEnd }: Options) {
  const [state, dispatch] = useReducer(changed, EMPTY);
  const running = useRef<AbortController | null>(null);
  const here = useRef("");
  const counted = useRef(0);

  useEffect(() => () => running.current?.abort(), []);

  const watch = useCallback(
    async (key: string, send: (watching: Watching) => Promise<void>) => {
      const controller = new AbortController();
      running.current = controller;
      const watching: Watching = {
        signal: controller.signal,
        onEvent: (event) => dispatch({ do: "event", key, event }),
        onBroken: () => dispatch({ do: "turn", key, change: (turn) => ({ ...turn, phase: "broken" }) }),
        onOpen: (runId, thread) => {
          dispatch({ do: "turn", key, change: (turn) => opened(turn, runId) });
          if (!thread || here.current === thread) return;
          here.current = thread;
          dispatch({ do: "named", threadId: thread });
          onThread(thread);
        },
      };
      try {
        await send(watching);
        dispatch({ do: "turn", key, change: (turn) => (turn.phase === "running" ? interrupted(turn) : turn) });
      } catch (error) {
        dispatch({ do: "turn", key, change: (turn) => brokenOff(turn, error, controller.signal.aborted) });
      } finally {
        if (running.current === controller) running.current = null;
        onEnd();
      }
    },
    [onThread, onEnd],
  );

  useEffect(() => {
    if (here.current === threadId && threadId) return; // the thread this page itself has just begun
    here.current = threadId;
    running.current?.abort();
    running.current = null;
    dispatch({ do: "open", threadId });
    if (!threadId) return;
    const loaded = ({ thread, turns }: History) => {
      if (here.current !== threadId) return;
      dispatch({ do: "loaded", threadId, title: thread.title, connection: thread.connection_id, turns });
      const last = turns.at(-1);
      if (last?.phase === "running") void watch(last.key, (watching) => follow(threadId, last.runId, watching));
    };
    history(threadId).then(loaded, (error: unknown) => here.current === threadId && dispatch({ do: "refused", error }));
  }, [threadId, watch]);

  const ask = useCallback(
    (question: string, { connection = "", analyst = "", model = "", refresh = false, replaces }: AskOptions = {}) => {
      const key = `new-${(counted.current += 1)}`;
      dispatch({ do: "begin", turn: newTurn(key, question, refresh), replaces: replaces?.key });
      const body = {
        question,
        connection_id: connection || null,
        thread_id: here.current || null,
        agent_id: analyst || null,
        model: model || null,
        replaces: replaces?.begun || null,
        refresh,
        count_rows: false,
      };
      void watch(key, (watching) => streamQuestion(body, watching));
    },
    [watch],
  );

  const reply = useCallback(
    (turn: Turn, answer: Reply | undefined, words: string) => {
      dispatch({ do: "turn", key: turn.key, change: (last) => replied(last, words) });
      void watch(turn.key, (watching) => streamReply({ thread_id: here.current, reply: answer }, watching));
    },
    [watch],
  );

  /** Shows another version of a turn, with what followed it. */
  const show = useCallback(async (runId: string) => {
    const id = here.current;
    const thread = await post("/threads/{thread_id}/version", { path: { thread_id: id }, body: { run_id: runId } });
    const { turns } = await history(id, thread);
    if (here.current !== id) return;
    dispatch({ do: "loaded", threadId: id, title: thread.title, connection: thread.connection_id, turns });
  }, []);

  const stop = useCallback((turn: Turn) => {
    const controller = running.current;
    const cancelled = turn.runId
      ? post("/runs/{run_id}/cancel", { path: { run_id: turn.runId } })
      : Promise.reject(new Unreachable());
    cancelled.catch(() => controller?.abort()); // on another worker leaving stops it as well
  }, []);

  const rename = useCallback((title: string) => dispatch({ do: "renamed", title }), []);
  return { ...state, ask, reply, show, stop, rename };
}

function brokenOff(turn: Turn, error: unknown, left: boolean): Turn {
  if (left) return { ...turn, phase: "stopped", failure: { code: "cancelled", message: "", retryable: true } };
  const told = error instanceof ApiError ? error : new Unreachable();
  return { ...turn, phase: "failed", failure: { code: told.code, message: told.message, retryable: told.retryable } };
}
