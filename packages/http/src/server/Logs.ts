import { Cause, Clock, Context, Effect, Formatter, Layer, Logger, References } from "effect";
import * as NodeProcess from "./NodeProcess.ts";
import { ServerConfig } from "./ServerConfig.ts";

const textOf = (message: unknown): string =>
  (Array.isArray(message) ? message : [message])
    .map((part) => (typeof part === "string" ? part : Formatter.format(part)))
    .join(" ");

/** One JSON object a line: timestamp, level, message, the annotations, and the cause if there is one. */
const jsonLines = Logger.make<unknown, void>(({ cause, date, fiber, logLevel, message }) =>
  NodeProcess.printLine(
    JSON.stringify({
      timestamp: date.toISOString(),
      level: logLevel.toUpperCase(),
      message: textOf(message),
      ...fiber.getRef(References.CurrentLogAnnotations),
      ...(cause.reasons.length > 0 ? { cause: Cause.pretty(cause) } : {}),
    }),
  ),
);

/** What is logged of an answered request. */
export interface Answered {
  readonly requestId: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
}

const messageOf = ({ method, path, status }: Answered) => `${method} ${path} ${status}`;

/** Logs an answered request. */
export const RequestLog = Context.Reference<(answered: Answered) => Effect.Effect<void>>(
  "@quartermaster/http/server/Logs/RequestLog",
  {
    defaultValue: () => (answered) =>
      Effect.annotateLogs(Effect.logInfo(messageOf(answered)), { ...answered }),
  },
);

/**
 * The line that `jsonLines` would write: there is one for each request, so it is put together here.
 * Only the path, and a request id that came with the request, could have what JSON escapes.
 */
const requestLines = (answered: Answered): Effect.Effect<void> =>
  Effect.map(Clock.currentTimeMillis, (millis) => {
    const { durationMs, method, requestId, status } = answered;
    const path = JSON.stringify(answered.path);
    const id = requestId === undefined ? "" : `"requestId":${JSON.stringify(requestId)},`;
    NodeProcess.printLine(
      `{"timestamp":"${new Date(millis).toISOString()}","level":"INFO",` +
        `"message":"${method} ${path.slice(1, -1)} ${status}",${id}"method":"${method}",` +
        `"path":${path},"status":${status},"durationMs":${durationMs}}`,
    );
  });

/** Whether logs are for people or for machines. */
export const isPretty = Effect.map(ServerConfig, ({ log }) =>
  log === null ? NodeProcess.isTerminal() : log === "pretty",
);

/** Logs to stdout. */
export const layer = Layer.unwrap(
  Effect.map(isPretty, (pretty) =>
    pretty
      ? Logger.layer([Logger.consolePretty()])
      : Layer.merge(Logger.layer([jsonLines]), Layer.succeed(RequestLog, requestLines)),
  ),
);
