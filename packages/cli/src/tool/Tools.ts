import { Effect, Option, Schema } from "effect";
import type * as Api from "../Api.ts";
import { CommandError, usage } from "../CommandError.ts";
import * as Connection from "../Connection.ts";
import * as Input from "../Input.ts";
import * as Mcp from "../Mcp.ts";
import * as Output from "../Output.ts";
import * as RunnerKey from "../work/RunnerKey.ts";

interface Flags extends Connection.ResultFlags {
  readonly agent: Option.Option<string>;
}

/** Milliseconds for a tool call. The server limits the time without progress. */
const callMillis = 300_000;

/**
 * Access as the agent. With an Admin's key, the command creates a key of the agent and deletes it
 * afterwards.
 */
const open = Effect.fnUntraced(function* (flags: Flags) {
  const access = yield* Connection.open(flags);
  const agent = yield* RunnerKey.make(access, Option.getOrNull(flags.agent), []);
  return { access: agent.access, worker: yield* Mcp.worker };
});

const read = <A>(schema: Schema.Codec<A, unknown>, access: Api.Access, value: unknown) =>
  Effect.mapError(Schema.decodeUnknownEffect(schema)(value), () => Mcp.notMcp(access.url));

const Found = Schema.Array(
  Schema.Struct({ name: Schema.String, title: Schema.String, summary: Schema.String }),
);

export const search = Effect.fnUntraced(function* (
  flags: Flags & { readonly query: ReadonlyArray<string>; readonly limit: number },
) {
  const { access, worker } = yield* open(flags);
  const { limit } = flags;
  const answer = yield* Mcp.ask(
    access,
    "search_tools",
    { query: flags.query.join(" "), limit },
    { worker },
  );
  const found = yield* read(Found, access, answer);
  yield* Output.list(
    flags.json,
    found,
    ["NAME", "SUMMARY"],
    found.map(({ name, summary }) => [name, summary]),
  );
}, Effect.scoped);

const Definition = Schema.Struct({
  name: Schema.String,
  description: Schema.optionalKey(Schema.String),
  inputSchema: Schema.Unknown,
});

export const describe = Effect.fnUntraced(function* (flags: Flags & { readonly tool: string }) {
  const { access, worker } = yield* open(flags);
  const answer = yield* Mcp.ask(access, "describe_tool", { name: flags.tool }, { worker });
  const { description, inputSchema, name } = yield* read(Definition, access, answer);
  yield* Output.one(flags.json, answer, [
    Output.cell(name),
    ...(description === undefined ? [] : [Output.multiline(description)]),
    "",
    Output.multiline(JSON.stringify(inputSchema, null, 2)),
  ]);
}, Effect.scoped);

/** One line per block of a result: its text, or its type, media type and URI. */
const lineOf = (block: Input.JsonObject): string => {
  const { mimeType, text, type, uri } = block;
  if (typeof text === "string") return Output.multiline(text);
  const about = [type, mimeType, uri].filter((part) => typeof part === "string");
  return Output.cell(`[${about.join(" ")}]`);
};

const linesOf = ({ content, structuredContent }: Mcp.ToolResult): ReadonlyArray<string> => {
  if (content.length > 0) return content.map(lineOf);
  return structuredContent === null ? [] : [Output.multiline(JSON.stringify(structuredContent))];
};

const argumentsOf = Effect.fnUntraced(function* (flags: {
  readonly arguments: Option.Option<string>;
  readonly file: Option.Option<string>;
}) {
  const { arguments: given, file } = flags;
  if (Option.isSome(given) && Option.isSome(file)) {
    return yield* usage("Use either --arguments or --file.");
  }
  if (Option.isSome(file)) {
    return yield* Input.jsonObject("--file", yield* Input.file("--file", file.value));
  }
  if (Option.isNone(given)) return {};
  return yield* Input.jsonObject("--arguments", yield* Input.text(given.value));
});

export const call = Effect.fnUntraced(function* (
  flags: Flags & {
    readonly tool: string;
    readonly arguments: Option.Option<string>;
    readonly file: Option.Option<string>;
  },
) {
  const args = yield* argumentsOf(flags);
  const { access, worker } = yield* open(flags);
  const result = yield* Mcp.call(
    access,
    "call_tool",
    { name: flags.tool, arguments: args },
    { worker, timeoutMillis: callMillis },
  );
  const refusal = Mcp.refusalOf(result);
  if (refusal !== null) return yield* refusal;
  yield* Output.one(flags.json, result, linesOf(result));
  if (result.isError) {
    return yield* new CommandError({
      kind: "refused",
      message: `The tool ${flags.tool} reported an error.`,
      problem: null,
      retryAfterSeconds: null,
    });
  }
}, Effect.scoped);
