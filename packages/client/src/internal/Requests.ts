import type { Fetch, FetchResponse } from "../Fetch.ts";
import type { ConnectOptions } from "../Options.ts";
import { Problem, Unreachable } from "../Problem.ts";
import { sleep, userAgent, variable } from "./Platform.ts";

/** One request and its response. */
export interface Request {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: BodyInit | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether the request is safe to repeat. */
  readonly isRepeatable: boolean;
  /** Whether the caller reads the response itself, including a refusal that is not a problem. */
  readonly isRaw: boolean;
}

export type Send = (request: Request) => Promise<FetchResponse>;

/** The headers of a request that acts for a run. */
export const actingFor = (runId: string): Readonly<Record<string, string>> => ({
  "quartermaster-run": runId,
});

/** The longest `Retry-After` that a call waits for, in seconds. */
const longestWait = 30;

const retryAfterOf = (response: FetchResponse): number | null => {
  const header = response.headers.get("retry-after");
  return header !== null && /^\d+$/.test(header) ? Number(header) : null;
};

const isProblem = (response: FetchResponse) =>
  response.headers.get("content-type")?.startsWith("application/problem+json") === true;

const problemOf = async (response: FetchResponse): Promise<Problem> => {
  const body: unknown = isProblem(response) ? await response.json() : await response.text();
  const members = typeof body === "object" && body !== null ? { ...body } : {};
  return new Problem(response.status, members, retryAfterOf(response));
};

/**
 * The error of a call without a response: the signal's reason if the caller aborted it, else
 * `Unreachable`.
 */
export const lost = (url: string, cause: unknown, signal: AbortSignal | undefined): unknown =>
  signal?.aborted === true ? signal.reason : new Unreachable(url, cause);

/** Sends requests to one server. Rejects with `Problem`, `Unreachable` or the signal's reason. */
export const sender = (options: ConnectOptions, base: string): Send => {
  const { key, retries = 3, runId = variable("QM_RUN_ID"), sessionSecret } = options;
  const agent = userAgent("quartermaster-client");
  const common = (): Record<string, string> => ({
    ...(agent === undefined ? {} : { "user-agent": agent }),
    ...(key === undefined
      ? {}
      : { authorization: `Bearer ${typeof key === "string" ? key : key()}` }),
    ...(runId ? actingFor(runId) : {}),
    ...(sessionSecret === undefined ? {} : { "quartermaster-session": sessionSecret }),
  });
  const fetch: Fetch = options.fetch ?? globalThis.fetch;

  const send = async (request: Request, left: number): Promise<FetchResponse> => {
    const { body, headers, isRaw, isRepeatable, method, path, signal } = request;
    const init = {
      method,
      headers: { ...common(), ...headers },
      ...(signal === undefined ? {} : { signal }),
      ...(body === undefined ? {} : { body }),
      ...(body instanceof ReadableStream ? ({ duplex: "half" } as const) : {}),
    };
    const failed = (cause: unknown) => {
      throw lost(base, cause, signal);
    };
    const response = await fetch(base + path, init).catch(failed);
    if (response.ok || (isRaw && !isProblem(response))) return response;
    const problem = await problemOf(response).catch(failed);
    const isRefused = problem.status === 429 || problem.status === 503;
    const seconds = problem.retryAfter ?? 1;
    if (!isRefused || !isRepeatable || left <= 0 || seconds > longestWait) throw problem;
    await sleep(seconds * 1_000, signal);
    signal?.throwIfAborted();
    return send(request, left - 1);
  };

  return (request) => send(request, retries);
};
