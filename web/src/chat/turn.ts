import type {
  Answer,
  Cell,
  ChartSpec,
  Column,
  Estimate,
  Failure,
  Option,
  RunEvents,
  SqlResult,
  StreamEvent,
  Usage,
} from "../api/types";

export type TurnStep = { name: string; ms: number | null };
export type Asked =
  | { kind: "clarification"; question: string; options: Option[] }
  | { kind: "approval"; sql: string; estimate: Estimate | null };

/** One question and everything that became of it; made by events alone, so that a reload makes the same. */
export type Turn = {
  key: string;
  question: string;
  runId: string;
  /** The run that began the turn; a reply goes on with it under another id. */
  begun: string;
  /** The runs that began this turn and those it replaced or that replaced it, oldest first; none where it is alone. */
  versions: string[];
  phase: "running" | "broken" | "waiting" | "done" | "failed" | "stopped";
  steps: TurnStep[];
  attempts: string[];
  retries: string[];
  streamed: string;
  result: { id: string | null; columns: Column[]; rows: Cell[][]; rowCount: number; truncated: string | null } | null;
  chart: ChartSpec | null;
  cache: Answer["cache"];
  followups: string[];
  asked: Asked | null;
  /** What the person chose when asked back, in their words. */
  replied: string;
  usage: Usage | null;
  failure: Failure | null;
  answer: Answer | null;
  /** When the first and the last event of its run came, by the server's clock. */
  heard: { first: string; last: string };
  /** What the person said of the answer when the conversation was last open. */
  verdict: "up" | "down" | "none";
  /** The analyst and the refresh it was asked with, for asking it again. */
  refresh: boolean;
};

/** A person's own statement for a question, with what it found. */
export type Correction = { sql: string; result: SqlResult };

/** A turn as a person put it right: their statement and its rows; what was said of the old ones no longer holds. */
export function correctedTurn(turn: Turn, { sql, result }: Correction): Turn {
  return {
    ...turn,
    streamed: "",
    result: {
      id: result.result_id,
      columns: result.columns,
      rows: result.rows,
      rowCount: result.row_count,
      truncated: result.truncated,
    },
    answer: turn.answer && { ...turn.answer, sql, warnings: [], grade: null, reading: {} },
  };
}

export function newTurn(key: string, question: string, refresh = false): Turn {
  // prettier-ignore
  return {
    key, question, refresh, runId: "", begun: "", versions: [], phase: "running", steps: [], attempts: [], retries: [], streamed: "", result: null,
    chart: null, cache: null, followups: [], asked: null, replied: "", usage: null, failure: null, answer: null,
    heard: { first: "", last: "" }, verdict: "none",
  };
}

/** A turn that takes the place of another, which stays as a version of it. */
export function replacing(old: Turn, turn: Turn): Turn {
  if (!old.begun) return turn;
  return { ...turn, versions: [...(old.versions.length ? old.versions : [old.begun]), ""] };
}

/** The turn once the server has named its run; the first name is that of the turn. */
export function opened(turn: Turn, runId: string): Turn {
  if (turn.begun) return { ...turn, runId };
  return { ...turn, runId, begun: runId, versions: turn.versions.map((run) => run || runId) };
}

/** The turn after an event. */
export function advance(turn: Turn, event: StreamEvent): Turn {
  const base: Turn = {
    ...turn,
    runId: event.run_id || turn.runId,
    phase: turn.phase === "broken" ? "running" : turn.phase,
    heard: event.at ? { first: turn.heard.first || event.at, last: event.at } : turn.heard,
  };
  switch (event.type) {
    case "turn":
      return { ...base, question: base.question || event.question };
    case "step":
      return { ...base, steps: withStep(base.steps, event.name, event.status === "finished" ? (event.ms ?? 0) : null) };
    case "token":
      return { ...base, streamed: base.streamed + event.text };
    case "sql":
      return { ...base, attempts: base.attempts.at(-1) === event.sql ? base.attempts : [...base.attempts, event.sql] };
    case "rows":
      return {
        ...base,
        result: {
          id: event.result_id,
          columns: event.columns,
          rows: event.preview,
          rowCount: event.row_count,
          truncated: event.truncated,
        },
      };
    case "facts":
      return { ...base, streamed: event.text || base.streamed };
    case "chart":
      return { ...base, chart: event.chart };
    case "cache":
      return { ...base, cache: { level: event.level, as_of: event.as_of ?? undefined } };
    case "clarification":
      return { ...base, asked: { kind: "clarification", question: event.question, options: event.options } };
    case "approval":
      return { ...base, asked: { kind: "approval", sql: event.sql, estimate: event.estimate } };
    case "retry":
      return { ...base, retries: [...base.retries, event.class] };
    case "followups":
      return { ...base, followups: event.questions };
    case "usage":
      return { ...base, usage: event.usage };
    case "error":
      return ended(base, { code: event.code, message: event.message, retryable: event.retryable });
    case "done":
      return finished(base, event.answer);
    default:
      return base; // an event of a newer server
  }
}

function withStep(steps: TurnStep[], name: string, ms: number | null): TurnStep[] {
  const open = steps.findLastIndex((step) => step.name === name && step.ms === null);
  if (ms === null || open < 0) return [...steps, { name, ms }];
  return steps.map((step, place) => (place === open ? { name, ms } : step));
}

function ended(turn: Turn, failure: Failure): Turn {
  return { ...turn, failure, phase: failure.code === "cancelled" ? "stopped" : "failed", steps: closed(turn.steps) };
}

function finished(turn: Turn, answer: Answer): Turn {
  const waits = answer.status === "clarification" || answer.status === "approval";
  const went = answer.status === "failed" || answer.status === "refused";
  const rows = answer.columns.length
    ? {
        id: answer.result_id,
        columns: answer.columns,
        rows: answer.rows,
        rowCount: answer.row_count,
        truncated: answer.truncated,
      }
    : turn.result;
  return {
    ...turn,
    answer,
    question: turn.question || answer.question,
    // Of a conversation that is opened again only the answer knows what was chosen.
    replied: turn.replied || (answer.reading.chosen ?? ""),
    phase: waits ? "waiting" : went ? "failed" : "done",
    failure: went ? (answer.error ?? { code: answer.status, message: answer.text, retryable: false }) : null,
    streamed: answer.text || turn.streamed,
    result: rows,
    chart: answer.chart,
    cache: answer.cache,
    followups: answer.followups,
    usage: answer.usage,
    asked: waits ? (turn.asked ?? pendingOf(answer)) : turn.asked,
    steps: closed(turn.steps),
  };
}

function pendingOf({ pending }: Answer): Asked | null {
  if (!pending) return null;
  return pending.kind === "clarification"
    ? { kind: "clarification", question: pending.question, options: pending.options }
    : { kind: "approval", sql: pending.sql ?? "", estimate: pending.estimate };
}

const closed = (steps: TurnStep[]): TurnStep[] => steps.map((step) => ({ ...step, ms: step.ms ?? 0 }));

/** The turn after the person replied: the same card goes on. */
export function replied(turn: Turn, words: string): Turn {
  return { ...turn, phase: "running", replied: words, answer: null, failure: null, heard: { first: "", last: "" } };
}

const INTERRUPTED: Failure = { code: "interrupted", message: "", retryable: true };

/** A turn whose run was cut short: its worker died, or nothing was heard of it for long. */
export function interrupted(turn: Turn): Turn {
  return { ...turn, phase: "stopped", failure: INTERRUPTED, steps: closed(turn.steps) };
}

/**
 * A conversation from its log; a run that did not begin a turn of its own goes on with the one before. The last run may
 * go on in another window: it stays running, for the caller to follow.
 */
export function replay(runs: RunEvents[]): Turn[] {
  const turns: Turn[] = [];
  let saysTurns = false;
  for (const [place, run] of runs.entries()) {
    const begins = run.events.some((event) => event.type === "turn");
    saysTurns ||= begins;
    const last = turns.at(-1);
    const goesOn = last && !begins && (saysTurns ? hasSteps(run) : seemsReply(run, last));
    let turn = goesOn
      ? { ...last, phase: "running" as const, answer: null, failure: null, heard: { first: "", last: "" } }
      : newTurn(run.run_id, "");
    turn = opened(turn, run.run_id);
    turn = run.events.reduce(advance, turn);
    if (turn.phase === "running" && (run.ended || place < runs.length - 1)) turn = interrupted(turn);
    if (goesOn) turns[turns.length - 1] = turn;
    else turns.push(turn);
  }
  return turns;
}

/** Whether a run did anything; one that was refused at the door, or is still waiting there, goes on with nothing. */
const hasSteps = (run: RunEvents): boolean => run.events.some((event) => event.type === "step");

/** Whether a run in the log of a server that does not say where turns begin replies to a turn that waits for one. */
function seemsReply(run: RunEvents, turn: Turn): boolean {
  if (turn.phase !== "waiting" || !hasSteps(run)) return false;
  const end = run.events.findLast((event) => event.type === "done");
  return !end || end.answer.question === turn.question; // the answer to a reply names the question it began with
}

/** A turn of which only the answer is known, as in a shared conversation. */
export function turnOf(answer: Answer, key: string): Turn {
  const steps = answer.steps.map((step) => ({ name: step.name, ms: step.ms }));
  return finished({ ...newTurn(key, answer.question), runId: answer.run_id, steps }, answer);
}
