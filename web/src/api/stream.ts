import { ApiError, get, openStream, Unreachable } from "./client";
import type { Question, Resume, RunEvents, StreamEvent } from "./types";

const TRIES = 15;
const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 5000; // in all about a minute: as long as a server may take to start again

export type Watching = {
  signal: AbortSignal;
  onEvent: (event: StreamEvent) => void;
  onOpen?: (runId: string, threadId: string) => void;
  /** The stream broke and is being taken up again. */
  onBroken?: () => void;
};

/**
 * The events of a run, each once. A stream that breaks is asked for again under the same key: the server joins the run
 * that goes on, or tells it again from its log, and what was seen before is skipped by its number.
 */
export async function streamQuestion(body: Question, watching: Watching): Promise<void> {
  const header = { "Idempotency-Key": crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}` };
  const taken = new Taken(watching);
  const ask = () => openStream("/query/stream", { body, header, signal: watching.signal });
  await insist(watching, taken, () => readAll(ask, taken, watching.onOpen));
}

/** The events that follow a reply. A reply is sent once; when its stream breaks, the rest is read from the log. */
export async function streamReply(body: Resume, watching: Watching): Promise<void> {
  const taken = new Taken(watching);
  let runId = "";
  const onOpen = (run: string, thread: string) => {
    runId = run;
    watching.onOpen?.(run, thread);
  };
  const reply = () => openStream("/query/resume", { body, signal: watching.signal });
  await insist(watching, taken, async () => {
    if (!runId) return readAll(reply, taken, onOpen);
    (await eventsOf(body.thread_id, runId, taken.seen)).events.forEach(taken.take);
  });
}

/** The logged events of a run behind a number. */
export function eventsOf(threadId: string, runId: string, after = 0): Promise<RunEvents> {
  return get("/threads/{thread_id}/events", { path: { thread_id: threadId }, query: { run_id: runId, after } });
}

/** Hands every event on once, by its number; a worker that finishes another's run counts anew under its own id. */
class Taken {
  seen = 0;
  last = "";
  private run = "";

  constructor(private readonly watching: Watching) {}

  /** A run ends with its answer, or with an error behind which nothing comes. */
  get ended(): boolean {
    return this.last === "done" || this.last === "error";
  }

  take = (event: StreamEvent): void => {
    if (event.run_id !== this.run) [this.run, this.seen] = [event.run_id, 0];
    if (event.seq && event.seq <= this.seen) return;
    this.seen = event.seq || this.seen;
    this.last = event.type;
    this.watching.onEvent(event);
  };
}

async function insist(watching: Watching, taken: Taken, once: () => Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await once();
    } catch (error) {
      if (watching.signal.aborted || !worthAnother(error)) throw error;
    }
    if (taken.ended) return;
    if (attempt >= TRIES) throw new Unreachable();
    watching.onBroken?.();
    await wait(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt), watching.signal);
  }
}

async function readAll(open: () => Promise<Response>, taken: Taken, onOpen: Watching["onOpen"]): Promise<void> {
  const response = await open();
  onOpen?.(response.headers.get("x-run-id") ?? "", response.headers.get("x-thread-id") ?? "");
  await read(response, taken.take);
}

function worthAnother(error: unknown): boolean {
  if (error instanceof ApiError) return error instanceof Unreachable || error.status === 502 || error.status === 504;
  return error instanceof TypeError; // a body that broke off while it was read
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

async function read(response: Response, take: (event: StreamEvent) => void): Promise<void> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const parse = eventParser(take);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    parse(value);
  }
}

/** Cuts text that arrives in any pieces into server-sent events; comments and unknown fields are skipped. */
export function eventParser(take: (event: StreamEvent) => void): (text: string) => void {
  let rest = "";
  return (text) => {
    rest += text;
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split(/\r?\n/).filter((line) => line.startsWith("data:"));
      const data = lines.map((line) => line.slice(5).replace(/^ /, "")).join("\n");
      if (data) take(JSON.parse(data) as StreamEvent);
    }
  };
}
