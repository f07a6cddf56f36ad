import { language } from "../app/preferences";

export const PREFIX = "/api/v1";

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

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export async function send(method: Method, path: string, body?: unknown, options: RequestInit = {}): Promise<Response> {
  const headers = new Headers(options.headers);
  headers.set("accept-language", language());
  const isFile = body instanceof Blob;
  if (body !== undefined) headers.set("content-type", isFile ? "application/octet-stream" : "application/json");
  const content = body === undefined ? undefined : isFile ? body : JSON.stringify(body);
  let response: Response;
  try {
    response = await fetch(PREFIX + path, { ...options, method, headers, body: content });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Unreachable();
  }
  if (response.ok) return response;
  throw await failure(response);
}

async function failure(response: Response): Promise<ApiError> {
  if (response.status === 401) window.dispatchEvent(new Event("inquery:signed-out"));
  try {
    const told = (await response.json()) as { code?: string; message?: string; retryable?: boolean };
    const message = told.message ?? `HTTP ${response.status}`;
    return new ApiError(response.status, told.code ?? "internal", message, told.retryable ?? false);
  } catch {
    return new ApiError(response.status, "internal", `HTTP ${response.status}`, response.status >= 500);
  }
}

async function json<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const response = await send(method, path, body);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export const get = <T>(path: string) => json<T>("GET", path);
export const post = <T>(path: string, body?: unknown) => json<T>("POST", path, body);
export const put = <T>(path: string, body?: unknown) => json<T>("PUT", path, body);
export const patch = <T>(path: string, body?: unknown) => json<T>("PATCH", path, body);
export const remove = (path: string) => json<void>("DELETE", path);

/** A path with its parts escaped: at`/threads/${id}`. */
export function at(parts: TemplateStringsArray, ...values: (string | number)[]): string {
  return parts.reduce((path, part, place) => path + encodeURIComponent(String(values[place - 1])) + part);
}
