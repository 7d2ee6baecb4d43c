import {
  type CallOptions,
  type Client,
  connect,
  Problem,
  Unreachable,
} from "@quartermaster/client";
import { Effect, Redacted, type Scope } from "effect";
import { CommandError } from "./CommandError.ts";
import { fetch } from "./Transport.ts";

/** Where the server is, and the key of the caller. */
export interface Access {
  readonly url: string;
  readonly key: Redacted.Redacted;
}

const codeOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  // Node's fetch wraps the cause that names the reason.
  const inner = cause instanceof Error ? (cause.cause ?? cause) : cause;
  if (!(inner instanceof Error)) return "no response";
  return "code" in inner && typeof inner.code === "string" ? inner.code : inner.message;
};

const kindOf = ({ status, type }: Problem): CommandError["kind"] => {
  // A proxy without its server, or another program at this URL.
  if (type === "unknown") return "unreachable";
  if (status === 401) return "unauthenticated";
  return status === 404 ? "notFound" : "refused";
};

const temporary = new Set([429, 500, 502, 503, 504]);

/** Any rejection of the client as what a command prints. */
export const failure = (url: string) => (error: unknown) => {
  if (error instanceof Problem) {
    const kind = kindOf(error);
    return new CommandError({
      kind,
      message:
        kind === "unreachable"
          ? `${url} responds with ${error.status}, and not as Quartermaster does. Check the URL.`
          : `${error.detail} (${error.type})`,
      problem: error.type === "unknown" ? null : error.type,
      retryAfterSeconds: temporary.has(error.status) ? Math.max(1, error.retryAfter ?? 1) : null,
    });
  }
  const isTimeout = error instanceof Error && error.name === "TimeoutError";
  if (!(error instanceof Unreachable) && !isTimeout) {
    // The client refuses arguments that no URL carries.
    const message = error instanceof Error ? error.message : String(error);
    return new CommandError({ kind: "usage", message, problem: null, retryAfterSeconds: null });
  }
  return new CommandError({
    kind: "unreachable",
    message: `${url} cannot be reached (${isTimeout ? "no response in time" : codeOf(error)}). Start the server, or name another one with --url.`,
    problem: null,
    retryAfterSeconds: 1,
  });
};

export interface Limits {
  /** Milliseconds until a call counts as failed. Default: 60,000. */
  readonly timeoutMillis?: number;
  /** How often the client repeats what is safe to repeat. Default: 3. */
  readonly retries?: number;
}

/** Calls the server with the client. A refusal fails with what the command prints. */
export const call = <A>(
  { key, url }: Access,
  use: (client: Client, options: CallOptions) => Promise<A>,
  { retries = 3, timeoutMillis = 60_000 }: Limits = {},
): Effect.Effect<A, CommandError> =>
  Effect.tryPromise({
    try: (signal) =>
      use(connect({ url, key: Redacted.value(key), retries, fetch }), {
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMillis)]),
      }),
    catch: failure(url),
  });

/** Opens what lasts longer than a call, such as a stream of events. It ends with the scope. */
export const open = <A>(
  { key, url }: Access,
  use: (client: Client, signal: AbortSignal) => Promise<A>,
): Effect.Effect<A, CommandError, Scope.Scope> =>
  Effect.gen(function* () {
    const ends = new AbortController();
    yield* Effect.addFinalizer(() => Effect.sync(() => ends.abort()));
    return yield* Effect.tryPromise({
      try: () => use(connect({ url, key: Redacted.value(key), fetch }), ends.signal),
      catch: failure(url),
    });
  });
