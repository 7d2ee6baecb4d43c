import { Schema } from "effect";
import { Timestamp, TimestampInput } from "../Timestamp.ts";

/** The log of a run: the output of its command and the reports of its host. */

export const LogStream = Schema.Literals(["stdout", "stderr", "host"]).annotate({
  description:
    "`stdout` and `stderr` of the command; `host`: what the agent's host reports, such as messages, tools and results.",
});
export type LogStream = typeof LogStream.Type;

/** The default name of a writer. */
export const defaultWriter = "runner";

/** Entries per request, and UTF-8 bytes of their texts. */
export const maxEntries = 1_000;
export const maxTextBytes = 256 * 1024;
export const maxWriters = 8;

const Writer = Schema.String.check(
  Schema.makeFilter<string>((name) => /^[\x21-\x7e]{1,32}$/.test(name), {
    expected: "1 to 32 characters of ASCII without spaces",
  }),
);

/** New entries of one writer. */
export const LogEntries = Schema.Struct({
  from: Schema.Int.check(
    Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER - maxEntries }),
  ).annotateKey({
    description:
      "The writer's own number of the first entry; the others follow. A writer starts at 0 or 1.",
  }),
  writer: Schema.optionalKey(Schema.NullOr(Writer)).annotateKey({
    description:
      "The writer's name, 1 to 32 characters; a run has at most 8 writers. Default: `runner`.",
  }),
  entries: Schema.Array(
    Schema.Struct({
      at: Schema.optionalKey(Schema.NullOr(TimestampInput)).annotateKey({
        description: "When the entry was written. Default: the time of the request.",
      }),
      stream: LogStream,
      text: Schema.String.annotateKey({
        description: "The text, with all its control characters.",
      }),
    }),
  )
    .check(Schema.isMaxLength(maxEntries))
    .annotateKey({
      description: "Up to 1,000 entries with texts of 256 KiB together, in their order.",
    }),
}).annotate({ identifier: "LogEntries", description: "New entries of the log of a run." });
export interface LogEntries extends Schema.Schema.Type<typeof LogEntries> {}

export const LogAppended = Schema.Struct({
  next: Schema.Int.annotateKey({ description: "The number of the writer's next entry." }),
  bytes: Schema.Int.annotateKey({
    description: "The size of the run's stored log as text, in bytes.",
  }),
  dropped: Schema.Int.annotateKey({
    description: "Entries of the run that were dropped because of a limit.",
  }),
}).annotate({ identifier: "LogAppended", description: "The state of a log after new entries." });
export interface LogAppended extends Schema.Schema.Type<typeof LogAppended> {}

export const LogEntry = Schema.Struct({
  n: Schema.Int.annotateKey({ description: "The entry's number in the run, from 1." }),
  at: Timestamp.annotateKey({ description: "When the entry was written." }),
  writer: Schema.String.annotateKey({ description: "The entry's writer." }),
  stream: LogStream,
  text: Schema.String.annotateKey({ description: "The text. Secrets are `[secret]`." }),
}).annotate({ identifier: "LogEntry", description: "An entry of the log of a run." });
export interface LogEntry extends Schema.Schema.Type<typeof LogEntry> {}

export const LogPage = Schema.Struct({
  entries: Schema.Array(LogEntry).annotateKey({
    description: "The entries after `after`; none if there are no more.",
  }),
  next: Schema.Int.annotateKey({ description: "`after` of the next request." }),
  dropped: Schema.Int.annotateKey({
    description: "Entries of the run that were dropped because of a limit.",
  }),
  ended: Schema.Boolean.annotateKey({ description: "Whether the run has ended." }),
}).annotate({ identifier: "LogPage", description: "A page of the log of a run." });
export interface LogPage extends Schema.Schema.Type<typeof LogPage> {}

/** The part of a log to read. */
export interface LogQuery {
  /** Only entries after this number. Default: 0. */
  readonly after?: number | undefined;
  /** Of the entries after `after`, only the newest ones of the run, this many. Default: all. */
  readonly tail?: number | undefined;
  /** 1 to 5,000. Default: 1,000. */
  readonly limit?: number | undefined;
  readonly stream?: LogStream | undefined;
  readonly writer?: string | undefined;
  /** Seconds to wait for an entry if there is none, 0 to 55. Default: 0. */
  readonly waitSeconds?: number | undefined;
}
