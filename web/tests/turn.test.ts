import { describe, expect, it } from "vitest";
import type { Answer, StreamEvent } from "../src/api/types";
import { advance, newTurn, opened, replacing, replay, replied, turnOf } from "../src/chat/turn";

const base = { run_id: "r1", at: null };
let seq = 0;
const event = (content: object): StreamEvent => ({ ...base, seq: (seq += 1), ...content }) as StreamEvent;
const step = (name: string, status: string, ms: number | null = null) => event({ type: "step", name, status, ms });
const answer = (content: Partial<Answer>): Answer =>
  ({
    status: "answered",
    question: "How many?",
    language: "en",
    sql: "SELECT 1",
    columns: [],
    rows: [],
    row_count: 0,
    truncated: null,
    text: "",
    reading: {},
    facts: [],
    chart: null,
    followups: [],
    confidence: null,
    provenance: {},
    cache: null,
    warnings: [],
    steps: [],
    usage: { ms: 5 },
    thread_id: "t",
    run_id: "r1",
    result_id: null,
    pending: null,
    error: null,
    ...content,
  }) as Answer;
const done = (content: Partial<Answer>) => event({ type: "done", answer: answer(content) });

describe("a turn that is edited", () => {
  it("keeps the one it replaces as a version, and its own name once it has one", () => {
    const old = opened(newTurn("k", "q"), "r1");
    const turn = opened(replacing(old, newTurn("k2", "q2")), "r2");
    expect(turn.versions).toEqual(["r1", "r2"]);
    expect(opened(replacing(turn, newTurn("k3", "q3")), "r3").versions).toEqual(["r1", "r2", "r3"]);
  });

  it("is one turn with its reply, and named by the first of its runs", () => {
    const turn = opened(opened(newTurn("k", "q"), "r1"), "r2");
    expect([turn.begun, turn.runId]).toEqual(["r1", "r2"]);
  });

  it("replaces nothing when the old one never reached the server", () => {
    expect(opened(replacing(newTurn("k", "q"), newTurn("k2", "q")), "r1").versions).toEqual([]);
  });
});

describe("a turn", () => {
  it("closes a step when it finishes, and keeps a second run of the same step apart", () => {
    const events = [
      step("write_sql", "started"),
      step("write_sql", "finished", 4),
      step("recover", "started"),
      step("write_sql", "started"),
      step("write_sql", "finished", 6),
    ];
    const turn = events.reduce(advance, newTurn("k", "q"));
    expect(turn.steps).toEqual([
      { name: "write_sql", ms: 4 },
      { name: "recover", ms: null },
      { name: "write_sql", ms: 6 },
    ]);
  });

  it("shows rows and words before it is done, and the answer's own afterwards", () => {
    const rows = event({
      type: "rows",
      result_id: "x",
      columns: [{ name: "n", kind: "number" }],
      preview: [[1]],
      row_count: 900,
      truncated: null,
    });
    let turn = [rows, event({ type: "token", text: "There " }), event({ type: "token", text: "are" })].reduce(
      advance,
      newTurn("k", "q"),
    );
    expect(turn.streamed).toBe("There are");
    expect(turn.result?.rowCount).toBe(900);
    turn = advance(
      turn,
      done({
        text: "There are 900.",
        columns: [{ name: "n", kind: "number", label: "", format: "", unit: "", words: {} }],
        rows: [["9007199254740993"]],
        row_count: 1,
        result_id: "y",
      }),
    );
    expect(turn).toMatchObject({
      phase: "done",
      streamed: "There are 900.",
      result: { id: "y", rows: [["9007199254740993"]] },
    });
  });

  it("waits at a question back and goes on in the same card after the reply", () => {
    const asks = event({
      type: "clarification",
      id: "c",
      question: "Which?",
      options: [{ id: "a", label: "A", reading: {} }],
    });
    let turn = [asks, done({ status: "clarification", sql: null })].reduce(advance, newTurn("k", "q"));
    expect(turn.phase).toBe("waiting");
    turn = replied(turn, "A");
    turn = advance(turn, done({ text: "4" }));
    expect(turn).toMatchObject({ phase: "done", replied: "A", streamed: "4" });
  });

  it("tells a failure from a stop", () => {
    const failed = advance(
      newTurn("k", "q"),
      event({ type: "error", code: "timeout", message: "Too slow", retryable: true }),
    );
    const stopped = advance(
      newTurn("k", "q"),
      event({ type: "error", code: "cancelled", message: "", retryable: true }),
    );
    expect([failed.phase, stopped.phase]).toEqual(["failed", "stopped"]);
    expect(
      advance(failed, done({ status: "failed", error: { code: "timeout", message: "Too slow", retryable: true } }))
        .failure?.code,
    ).toBe("timeout");
  });

  it("comes back to life when a broken stream is taken up", () => {
    const turn = advance({ ...newTurn("k", "q"), phase: "broken" }, step("run_sql", "started"));
    expect(turn.phase).toBe("running");
  });

  it("passes over events that a newer server may send", () => {
    const turn = newTurn("k", "q");
    expect(advance(turn, event({ type: "something_new" }))).toMatchObject({ phase: "running", steps: [] });
  });
});

describe("a conversation from its log", () => {
  const run = (run_id: string, ...events: StreamEvent[]) => ({
    run_id,
    ended: true,
    events: events.map((each) => ({ ...each, run_id })),
  });
  const begins = (question = "") => event({ type: "turn", question });
  const asksBack = (question: string) => done({ question, status: "clarification", sql: null });
  const works = () => step("any_node", "started");
  const shown = (...runs: ReturnType<typeof run>[]) => replay(runs).map(({ question, phase }) => [question, phase]);

  it("begins a turn where the server says so, and puts every other run into the turn before", () => {
    const replied = [
      run("r1", begins("How many?"), works(), asksBack("How many?")),
      run("r2", works(), done({ text: "4" })),
      run("r3", begins("Next?"), works(), done({ question: "Next?" })),
    ];
    expect(shown(...replied)).toEqual([
      ["How many?", "done"],
      ["Next?", "done"],
    ]);
    expect(replay(replied)[0]).toMatchObject({ begun: "r1", runId: "r2", streamed: "4" });
  });

  it("goes on with a turn that a crash cut short", () => {
    const crashed = { run_id: "r1", ended: false, events: [begins("How many?"), works()] };
    expect(shown(crashed, run("r2", works(), done({ text: "4" })))).toEqual([["How many?", "done"]]);
  });

  it("knows the question of a run that goes on in another window", () => {
    const [turn] = replay([{ run_id: "r1", ended: false, events: [begins("How many?"), works()] }]);
    expect(turn).toMatchObject({ question: "How many?", phase: "running" });
  });

  it("keeps a run that was refused at the door apart", () => {
    const refused = event({ type: "error", code: "thread_busy", message: "Busy", retryable: true });
    const turns = shown(run("r1", begins("How many?"), works(), done({})), run("r2", refused));
    expect(turns).toEqual([
      ["How many?", "done"],
      ["", "failed"],
    ]);
  });

  it("reads the log of a server that does not say where turns begin: a turn a run, but for replies", () => {
    const asked = run("r1", works(), asksBack("How many?"));
    const reply = run("r2", works(), done({ text: "4" }));
    const other = run("r3", works(), done({ question: "Next?" }));
    expect(shown(asked, reply, other)).toEqual([
      ["How many?", "done"],
      ["Next?", "done"],
    ]);
    expect(shown(asked, other)).toEqual([
      ["How many?", "waiting"],
      ["Next?", "done"],
    ]);
    expect(shown(asked, { ...run("r2", works()), ended: false })).toEqual([["How many?", "running"]]);
  });

  it("takes up a reply that was given after the server learned to say where turns begin", () => {
    const old = run("r1", works(), asksBack("How many?"));
    const now = run("r3", begins("Next?"), works(), asksBack("Next?"));
    const turns = shown(old, run("r2", works(), done({})), now, run("r4", works(), done({ question: "Next?" })));
    expect(turns).toEqual([
      ["How many?", "done"],
      ["Next?", "done"],
    ]);
  });

  it("says of a run without an end that it was interrupted, unless it is the last and may go on elsewhere", () => {
    const open = (run_id: string) => ({ run_id, ended: false, events: [begins(), works()] });
    const [first, last] = replay([open("r1"), open("r2")]);
    expect(first).toMatchObject({ phase: "stopped", failure: { code: "interrupted" } });
    expect(last).toMatchObject({ key: "r2", phase: "running" });
  });

  it("makes a turn from an answer alone", () => {
    expect(turnOf(answer({ text: "Hi", steps: [{ name: "run_sql", ms: 2 }] }), "0")).toMatchObject({
      phase: "done",
      question: "How many?",
      streamed: "Hi",
      steps: [{ name: "run_sql", ms: 2 }],
    });
  });
});

describe("what was chosen when asked back", () => {
  it("stays when only the answer is known", () => {
    const turn = advance(newTurn("k", ""), done({ reading: { chosen: "store city is Beijing" } }));
    expect(turn.replied).toBe("store city is Beijing");
    expect(turnOf(answer({ reading: { chosen: "门店的城市为北京" } }), "0").replied).toBe("门店的城市为北京");
  });
});

describe("a turn that is stopped", () => {
  it("knows by the clock how long it went on, and begins anew with a reply", () => {
    const at = (second: number) => `2026-11-16T10:00:0${second}Z`;
    const events = [
      event({ type: "step", name: "run_sql", status: "started", at: at(1) }),
      event({ type: "error", code: "cancelled", message: "", retryable: true, at: at(4) }),
    ];
    const turn = events.reduce(advance, newTurn("k", "q"));
    expect(turn.heard).toEqual({ first: at(1), last: at(4) });
    expect(replied(turn, "yes").heard).toEqual({ first: "", last: "" });
  });
});
