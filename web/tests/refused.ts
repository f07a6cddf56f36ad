import { get, linkTo, post } from "../src/api/client";
import type { Answer } from "../src/api/types";

/** What the compiler must refuse of a request and of what answers it; `tsc` fails where it does not. Nothing here is run. */
export const refused = () => [
  // @ts-expect-error there is no such path
  get("/thread"),
  // @ts-expect-error the path has no such method
  post("/auth/me"),
  // @ts-expect-error a part of the path is missing
  get("/threads/{thread_id}"),
  // @ts-expect-error an optional parameter is misspelt
  get("/threads", { query: { limits: 5 } }),
  // @ts-expect-error an optional field is misspelt
  post("/keys", { body: { name: "k", dais: 3 } }),
  // @ts-expect-error a field has another type
  post("/feedback", { body: { thread_id: "t", verdict: "maybe" } }),
  // @ts-expect-error the answer has no such field
  get("/auth/me") satisfies Promise<{ nick: string }>,
  // @ts-expect-error a reading has no filters where the question has none
  (answer: Answer) => answer.reading.filters.length,
  // @ts-expect-error the file has no such format
  linkTo("/results/{result_id}/export", { path: { result_id: "r" }, query: { format: "doc" } }),
];
