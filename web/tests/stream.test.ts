import { describe, expect, it } from "vitest";
import type { StreamEvent } from "../src/api/types";
import { serve, standIn } from "./browser";

standIn();
const { eventParser, streamQuestion, streamReply } = await import("../src/api/stream");

const line = (seq: number, type: string, run = "r1") =>
  `id: ${run}:${seq}\nevent: ${type}\ndata: ${JSON.stringify({ seq, run_id: run, type, text: "x", name: "s", status: "started" })}\n\n`;

/** A body that sends its pieces and then ends, or breaks. */
function body(pieces: string[], breaks: boolean): Response {
  const bytes = new TextEncoder();
  const stream = new ReadableStream({
    start(controller) {
      pieces.forEach((piece) => controller.enqueue(bytes.encode(piece)));
      if (breaks) controller.error(new TypeError("network error"));
      else controller.close();
    },
  });
  return new Response(stream, { headers: { "x-run-id": "r1", "x-thread-id": "t1" } });
}

function watcher() {
  const seen: [string, number][] = [];
  let broken = 0;
  const watching = {
    signal: new AbortController().signal,
    onEvent: (event: StreamEvent) => void seen.push([event.type, event.seq]),
    onBroken: () => void (broken += 1),
  };
  return { seen, watching, broken: () => broken };
}

const question = { question: "q", refresh: false, count_rows: false };

describe("the parser of server-sent events", () => {
  it("finds events whatever the pieces they arrive in", () => {
    const text = `: hello\n\n${line(1, "step")}${line(2, "done")}`;
    for (const size of [1, 7, 50, text.length]) {
      const seen: number[] = [];
      const parse = eventParser((event) => seen.push(event.seq));
      for (let at = 0; at < text.length; at += size) parse(text.slice(at, at + size));
      expect(seen).toEqual([1, 2]);
    }
  });
});

describe("a stream that breaks", () => {
  it("is asked for again under the same key, and no event is told twice", async () => {
    const answers = [
      body([line(1, "step"), line(2, "sql")], true),
      body([line(1, "step"), line(2, "sql"), line(3, "done")], false),
    ];
    const requests = serve(() => answers.shift()!);
    const { seen, watching, broken } = watcher();
    await streamQuestion(question, watching);
    expect(seen.map(([type]) => type)).toEqual(expect.arrayContaining(["done"]));
    expect(new Set(seen.map(([, seq]) => seq)).size).toBe(seen.length);
    const keys = requests.map((request) => request.headers.get("idempotency-key"));
    expect(keys[0]).toBeTruthy();
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(broken()).toBe(1);
  });

  it("counts anew when another worker finishes the run under its own id", async () => {
    const answers = [
      body([line(1, "step"), line(2, "sql")], true),
      body([line(1, "step", "r2"), line(2, "done", "r2")], false),
    ];
    serve(() => answers.shift()!);
    const { seen, watching } = watcher();
    await streamQuestion(question, watching);
    expect(seen.at(-1)).toEqual(["done", 2]);
  });

  it("is read from the log after a reply, which is sent once", async () => {
    const requests = serve((request) =>
      request.method === "POST"
        ? body([line(1, "step")], true)
        : Response.json({ run_id: "r1", ended: true, events: [{ type: "done", seq: 2, run_id: "r1" }] }),
    );
    const { seen, watching } = watcher();
    await streamReply({ thread_id: "t1", reply: "a" }, watching);
    expect(requests.filter((request) => request.method === "POST")).toHaveLength(1);
    expect(requests.at(-1)?.url).toContain("/threads/t1/events?run_id=r1");
    expect(seen.at(-1)).toEqual(["done", 2]);
  });

  it("is given up at once when the server refuses", async () => {
    serve(() => Response.json({ code: "thread_busy", message: "Busy", retryable: true }, { status: 409 }));
    await expect(streamQuestion(question, watcher().watching)).rejects.toMatchObject({
      code: "thread_busy",
      status: 409,
    });
  });
});
