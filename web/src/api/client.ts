import createClient, {
  createFinalURL,
  createQuerySerializer,
  defaultPathSerializer,
  type ClientPathsWithMethod,
  type MethodResponse,
  type RequestBodyOption,
} from "openapi-fetch";
import { language } from "../app/preferences";
import type { paths } from "./schema";
import type { Sent } from "./sent";
import type { Failure } from "./types";

const PREFIX = "/api/v1";

/** What a failed request says: a stable code, and a sentence in the reader's language. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly retryable: boolean,
  ) {
    super(message);
  }
}

/** The server could not be reached at all. */
export class Unreachable extends ApiError {
  constructor() {
    super(0, "unreachable", "", true);
  }
}

/** The paths of the API, without what stands before all of them. */
type Api = { [Path in keyof paths as Path extends `${typeof PREFIX}${infer Rest}` ? Rest : never]: paths[Path] };

const client = createClient<Api>({
  baseUrl: PREFIX,
  fetch: (request) => fetch(request), // looked up at each call; the library would keep the one of the first
  bodySerializer: (body: unknown) => (body instanceof Blob ? body : JSON.stringify(body)),
});

client.use({
  onRequest: ({ request }) => request.headers.set("accept-language", language()),
  onError: ({ error }) =>
    error instanceof DOMException && error.name === "AbortError" ? undefined : new Unreachable(),
  onResponse: async ({ response }) => {
    if (!response.ok) throw await failure(response);
  },
});

async function failure(response: Response): Promise<ApiError> {
  if (response.status === 401) window.dispatchEvent(new Event("inquery:signed-out"));
  try {
    const told = (await response.json()) as Partial<Failure>;
    const message = told.message ?? `HTTP ${response.status}`;
    return new ApiError(response.status, told.code ?? "internal", message, told.retryable ?? false);
  } catch {
    return new ApiError(response.status, "internal", `HTTP ${response.status}`, response.status >= 500);
  }
}

type Method = "get" | "post" | "put" | "patch" | "delete";
type PathWith<M extends Method> = ClientPathsWithMethod<typeof client, M>;
type Operation<M extends Method, Path extends PathWith<M>> = Api[Path][M];

/** OpenAPI's binary string is a file to a browser. */
type Body<Op> = Op extends { requestBody: { content: { "application/octet-stream": string } } }
  ? { body: Blob }
  : RequestBodyOption<Op>;

/**
 * What a request is made of: `path`, `query`, `header` and `body` as the server describes them. openapi-fetch infers its
 * options from the argument and so lets a misspelt optional field pass; these are fixed by the path, and do not.
 */
type Parts<Op> = (Op extends { parameters: infer Parameters } ? Parameters : object) &
  Body<Op> & { signal?: AbortSignal };
type Given<All> = object extends All ? [given?: All] : [given: All];
type Told<M extends Method, Path extends PathWith<M>> = Sent<MethodResponse<typeof client, M, Path>>;

/** The parts of a request to any path: what is behind the functions whose types are those of one. */
type AnyParts = {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  header?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
};

async function send(method: Method, path: string, given: AnyParts = {}, parseAs: "json" | "stream" = "json") {
  const { body, signal, ...params } = given;
  const headers = body instanceof Blob ? { "content-type": "application/octet-stream" } : {};
  return client.request(method, path as never, { params, body, signal, headers, parseAs } as never);
}

const sender =
  <M extends Method>(method: M) =>
  async <Path extends PathWith<M>>(path: Path, ...[given]: Given<Parts<Operation<M, Path>>>): Promise<Told<M, Path>> =>
    (await send(method, path, given)).data as Told<M, Path>;

export const get = sender("get");
export const post = sender("post");
export const put = sender("put");
export const patch = sender("patch");
export const remove = sender("delete");

/** The response of a request that is answered by events, its body unread. */
export async function openStream<Path extends "/query/stream" | "/query/resume">(
  path: Path,
  given: Parts<Operation<"post", Path>>,
): Promise<Response> {
  return (await send("post", path, given, "stream")).response;
}

/** The address of what the browser fetches by itself: a file to save, another site's sign-in. */
export function linkTo<Path extends PathWith<"get">>(
  path: Path,
  ...[given]: Given<Parts<Operation<"get", Path>>>
): string {
  return address(path, given);
}

function address(path: string, params: AnyParts = {}): string {
  const serializers = { querySerializer: createQuerySerializer(), pathSerializer: defaultPathSerializer };
  return createFinalURL(path, { baseUrl: PREFIX, params, ...serializers });
}
