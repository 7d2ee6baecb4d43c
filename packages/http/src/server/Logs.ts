import { Cause, Effect, Formatter, Layer, Logger, References } from "effect";
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

/** Whether logs are for people or for machines. */
export const isPretty = Effect.map(ServerConfig, ({ log }) =>
  log === null ? NodeProcess.isTerminal() : log === "pretty",
);

/** Logs to stdout. */
export const layer = Layer.unwrap(
  Effect.map(isPretty, (pretty) => Logger.layer([pretty ? Logger.consolePretty() : jsonLines])),
);
