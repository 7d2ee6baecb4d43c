import {
  type CallOptions,
  type Client,
  connect,
  Problem,
  Unreachable,
} from "@quartermaster/client";
import { Effect, Redacted, type Scope } from "effect";
import { CommandError, usage } from "./CommandError.ts";
import * as Output from "./Output.ts";
import { fetch } from "./Transport.ts";

/** The URL of the server and the key of the caller. */
export interface Access {
  readonly url: string;
  readonly key: Redacted.Redacted;
  /** The run that the calls act for; null for none. */
  readonly runId: string | null;
}

const codeOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  // Node's `fetch` wraps the error that has the code.
  const inner = cause instanceof Error ? (cause.cause ?? cause) : cause;
  if (!(inner instanceof Error)) return "no response";
  return "code" in inner && typeof inner.code === "string" ? inner.code : inner.message;
};

const kindOf = (status: number): CommandError["kind"] => {
  if (status === 401) return "unauthenticated";
  return status === 404 ? "notFound" : "refused";
};

const temporary = new Set([429, 500, 502, 503, 504]);

/**
 * The error for a response that does not come from Quartermaster: a proxy without its server, or
 * another program at this URL.
 */
const notOurs = (url: string, response: string, retryAfterSeconds: number | null) =>
  new CommandError({
    kind: "unreachable",
    message: `${url} is not a Quartermaster server: it responded ${response}. Check the URL.`,
    problem: null,
    retryAfterSeconds,
  });

const unreachable = (url: string, reason: string) =>
  new CommandError({
    kind: "unreachable",
    message: `${url} cannot be reached (${reason}). Start the server, or name another one with --url.`,
    problem: null,
    retryAfterSeconds: 1,
  });

/** The error for a call without a response in time. */
export const noResponse = (url: string) => unreachable(url, "no response in time");

/**
 * The error for a key that the server does not accept. The server's own message is about headers,
 * which the user does not see.
 */
const notAccepted = (url: string) =>
  new CommandError({
    kind: "unauthenticated",
    message: `${url} rejected the key: it is wrong, expired or deleted. Run \`quartermaster login ${url}\`, or correct QM_KEY or --key-file. (unauthenticated)`,
    problem: "unauthenticated",
    retryAfterSeconds: null,
  });

const malformedKey = new CommandError({
  kind: "unauthenticated",
  message:
    "The key has characters that no key has, so it was not sent. Copy it again, or correct QM_KEY or --key-file.",
  problem: null,
  retryAfterSeconds: null,
});

/** Whether a header can carry the key. No valid key has other characters. */
const isSendable = (key: Redacted.Redacted) => /^[\u0020-\u007e]+$/.test(Redacted.value(key));

/** The error for a call that the server refused. */
const refusal = (url: string, { detail, retryAfter, status, type }: Problem) => {
  const retryAfterSeconds = temporary.has(status) ? Math.max(1, retryAfter ?? 1) : null;
  if (type === "unknown") return notOurs(url, `with ${status}`, retryAfterSeconds);
  if (type === "unauthenticated") return notAccepted(url);
  return new CommandError({
    kind: kindOf(status),
    message: Output.cell(`${detail} (${type})`),
    problem: type,
    retryAfterSeconds,
  });
};

/** Converts a rejection of the client to the error that the command prints. */
export const failure = (url: string) => (error: unknown) => {
  if (error instanceof Problem) return refusal(url, error);
  if (error instanceof Unreachable) {
    // The response has a body that is not JSON.
    return error.cause instanceof SyntaxError
      ? notOurs(url, "without JSON", 1)
      : unreachable(url, codeOf(error));
  }
  if (error instanceof Error && error.name === "TimeoutError") return noResponse(url);
  // The client refuses arguments that no URL can carry.
  return usage(error instanceof Error ? error.message : String(error));
};

export interface Limits {
  /** Milliseconds after which a call fails. Default: 60,000. */
  readonly timeoutMillis?: number;
  /** The number of retries of calls that are safe to repeat. Default: 3. */
  readonly retries?: number;
}

/** Calls the server with the client. Fails with the error that the command prints. */
export const call = <A>(
  { key, runId, url }: Access,
  use: (client: Client, options: CallOptions) => Promise<A>,
  { retries = 3, timeoutMillis = 60_000 }: Limits = {},
): Effect.Effect<A, CommandError> =>
  isSendable(key)
    ? Effect.tryPromise({
        try: (signal) =>
          use(connect({ url, key: Redacted.value(key), runId, retries, fetch }), {
            signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMillis)]),
          }),
        catch: failure(url),
      })
    : Effect.fail(malformedKey);

/** Opens something that outlives a call, such as a stream of events. It closes with the scope. */
export const open = <A>(
  { key, runId, url }: Access,
  use: (client: Client, signal: AbortSignal) => Promise<A>,
): Effect.Effect<A, CommandError, Scope.Scope> =>
  Effect.gen(function* () {
    if (!isSendable(key)) return yield* malformedKey;
    const ends = new AbortController();
    yield* Effect.addFinalizer(() => Effect.sync(() => ends.abort()));
    return yield* Effect.tryPromise({
      try: () => use(connect({ url, key: Redacted.value(key), runId, fetch }), ends.signal),
      catch: failure(url),
    });
  });
