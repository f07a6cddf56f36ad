import { vi } from "vitest";

/** Enough of a browser for the client: a language, a window, and addresses that are relative to the page's. */
export function standIn(): EventTarget {
  const window = new EventTarget();
  vi.stubGlobal("window", window);
  vi.stubGlobal("navigator", { language: "en" });
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal(
    "Request",
    class extends Request {
      constructor(address: string, init?: RequestInit) {
        super(new URL(address, "http://localhost/t/1"), init);
      }
    },
  );
  return window;
}

/** Lets the server answer as the function says; the requests that came are in the list. */
export function serve(answer: (request: Request) => Response | Promise<Response>): Request[] {
  const requests: Request[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    requests.push(request.clone());
    return answer(request);
  });
  return requests;
}
