import { describe, expect, it } from "vitest";
import { serve, standIn } from "./browser";

const window = standIn();
const { get, linkTo, post, remove } = await import("../src/api/client");
const whereOf = (request: Request | undefined) => request?.url.replace("http://localhost", "");

describe("a request", () => {
  it("puts its parts where the server looks for them, escaped, in the reader's language", async () => {
    const requests = serve(() => Response.json({ version: "1" }));
    await get("/connections/{connection_id}/tables", {
      path: { connection_id: "a/b?c" },
      query: { search: "x&y", limit: 5, offset: undefined },
    });
    expect(whereOf(requests[0])).toBe("/api/v1/connections/a%2Fb%3Fc/tables?search=x%26y&limit=5");
    expect(requests[0]?.headers.get("accept-language")).toBe("en");
    expect(requests[0]?.headers.get("content-type")).toBeNull();
    expect(requests[0]?.credentials).toBe("same-origin");
  });

  it("sends a body as JSON, and a file as it is", async () => {
    const requests = serve(() => Response.json({}));
    await post("/auth/login", { body: { name: "ann", password: "p" } });
    await post("/uploads", { query: { filename: "a b.csv" }, body: new Blob(["n\n1\n"], { type: "text/csv" }) });
    expect(requests[0]?.headers.get("content-type")).toBe("application/json");
    expect(await requests[0]?.json()).toEqual({ name: "ann", password: "p" });
    expect(whereOf(requests[1])).toBe("/api/v1/uploads?filename=a%20b.csv");
    expect(requests[1]?.headers.get("content-type")).toBe("application/octet-stream");
    expect(await requests[1]?.text()).toBe("n\n1\n");
  });

  it("tells what the server sent, and nothing where there is nothing", async () => {
    serve((request) =>
      request.method === "DELETE" ? new Response(null, { status: 204 }) : Response.json([{ id: "k" }]),
    );
    expect(await get("/keys")).toEqual([{ id: "k" }]);
    expect(await remove("/keys/{key_id}", { path: { key_id: "k" } })).toBeUndefined();
  });
});

describe("a request that fails", () => {
  it("says the server's code and sentence", async () => {
    serve(() => Response.json({ code: "thread_busy", message: "Busy", retryable: true }, { status: 409 }));
    await expect(get("/keys")).rejects.toMatchObject({
      name: "Error",
      status: 409,
      code: "thread_busy",
      message: "Busy",
      retryable: true,
    });
  });

  it("says its status where something else than Inquery answers", async () => {
    serve(() => new Response("<h1>Bad gateway</h1>", { status: 502 }));
    await expect(get("/keys")).rejects.toMatchObject({ code: "internal", message: "HTTP 502", retryable: true });
  });

  it("tells the page that nobody is signed in any more", async () => {
    let told = 0;
    window.addEventListener("inquery:signed-out", () => void (told += 1));
    serve(() => Response.json({ code: "unauthorized", message: "Sign in", retryable: false }, { status: 401 }));
    await expect(get("/keys")).rejects.toMatchObject({ status: 401 });
    expect(told).toBe(1);
  });

  it("is unreachable where nothing answers, and aborted where it was given up", async () => {
    serve(() => Promise.reject(new TypeError("Failed to fetch")));
    await expect(get("/keys")).rejects.toMatchObject({ code: "unreachable", status: 0 });
    serve((request) => Promise.reject(request.signal.reason as Error));
    await expect(get("/keys", { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("a link", () => {
  it("is the address of a file under its escaped name", () => {
    const path = { result_id: "a/b" };
    expect(linkTo("/results/{result_id}/export", { path, query: { format: "csv" } })).toBe(
      "/api/v1/results/a%2Fb/export?format=csv",
    );
    expect(linkTo("/auth/oidc/start", { query: { next: "/t/1?x" } })).toBe("/api/v1/auth/oidc/start?next=%2Ft%2F1%3Fx");
  });
});
