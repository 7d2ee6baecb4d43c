import { NodeProcess } from "@quartermaster/cli";
import { Cause, Clock, Context, Effect, Formatter, Layer, Logger, References } from "effect";
import { ServerConfig } from "../config/ServerConfig.ts";
import { Worker } from "../workers/Worker.ts";

const textOf = (message: unknown): string =>
  (Array.isArray(message) ? message : [message])
    .map((part) => (typeof part === "string" ? part : Formatter.format(part)))
    .join(" ");

/**
 * Writes one JSON object per line: timestamp, level, message, the worker if there are several, annotations, and
 * the cause if there is one.
 */
const jsonLines = (worker: number | undefined) =>
  Logger.make<unknown, void>(({ cause, date, fiber, logLevel, message }) =>
    NodeProcess.printLine(
      JSON.stringify({
        timestamp: date.toISOString(),
        level: logLevel.toUpperCase(),
        message: textOf(message),
        worker,
        ...fiber.getRef(References.CurrentLogAnnotations),
        ...(cause.reasons.length > 0 ? { cause: Cause.pretty(cause) } : {}),
      }),
    ),
  );

/** The fields of a request's log line. */
export interface Answered {
  readonly requestId: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** The id of the caller's key; null without valid credentials. */
  readonly keyId: string | null;
  /** The agent that the key acts for; null if there is none. */
  readonly agentId: string | null;
  /** The client's address, even behind trusted proxies. */
  readonly address: string;
  /** Whether the request is a health probe. Orchestrators send one every few seconds. */
  readonly isProbe: boolean;
}

const messageOf = ({ method, path, status }: Answered) => `${method} ${path} ${status}`;

/** Logs a request when its response is sent. */
export const RequestLog = Context.Reference<(answered: Answered) => Effect.Effect<void>>(
  "@quartermaster/server/Logs/RequestLog",
  {
    defaultValue: () => (answered) =>
      Effect.annotateLogs(Effect.logInfo(messageOf(answered)), { ...answered }),
  },
);

/** Writes the same line as `jsonLines`, without its overhead. */
const requestLines =
  (worker: number | undefined) =>
  (answered: Answered): Effect.Effect<void> =>
    Effect.map(Clock.currentTimeMillis, (millis) => {
      const { address, agentId, durationMs, keyId, method, path, requestId, status } = answered;
      NodeProcess.printLine(
        JSON.stringify({
          timestamp: new Date(millis).toISOString(),
          level: "INFO",
          message: messageOf(answered),
          worker,
          requestId,
          method,
          path,
          status,
          durationMs,
          keyId,
          agentId,
          address,
        }),
      );
    });

/** Writes a short line in local time: `00:04:28 GET /api/mcp/catalog 200 2 ms agent-1`. */
const shortLines =
  (worker: number | undefined) =>
  (answered: Answered): Effect.Effect<void> =>
    Effect.map(Clock.currentTimeMillis, (millis) => {
      const time = new Date(millis).toTimeString().slice(0, 8);
      const caller = answered.agentId ?? answered.keyId ?? answered.address;
      const by = worker === undefined ? "" : ` worker ${worker}`;
      NodeProcess.printLine(
        `${time} ${messageOf(answered)} ${Math.round(answered.durationMs)} ms ${caller}${by}`,
      );
    });

/** Whether log lines are for people (true) or for programs. */
export const isPretty = Effect.map(ServerConfig, ({ log }) =>
  log === null ? NodeProcess.isTerminal() : log === "pretty",
);

/** Logs probes at level debug and passes other requests to `log`. */
const withoutProbes =
  (log: (answered: Answered) => Effect.Effect<void>) =>
  (answered: Answered): Effect.Effect<void> =>
    answered.isProbe
      ? Effect.annotateLogs(Effect.logDebug(messageOf(answered)), { ...answered })
      : log(answered);

/** Lines for people, which name the worker if there are several. */
const prettyLines = (worker: number | undefined): Logger.Logger<unknown, void> => {
  const pretty = Logger.consolePretty();
  if (worker === undefined) return pretty;
  return Logger.make((options) =>
    pretty.log({ ...options, message: `Worker ${worker}: ${textOf(options.message)}` }),
  );
};

/** Logs to stdout. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const worker = (yield* Worker)?.number;
    return (yield* isPretty)
      ? Layer.merge(
          Logger.layer([prettyLines(worker)]),
          Layer.succeed(RequestLog, withoutProbes(shortLines(worker))),
        )
      : Layer.merge(
          Logger.layer([jsonLines(worker)]),
          Layer.succeed(RequestLog, withoutProbes(requestLines(worker))),
        );
  }),
);
