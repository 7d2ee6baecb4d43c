import type { AgentTool, ToolCallResult } from "@quartermaster/client";
import { Effect, Option } from "effect";
import * as Api from "../Api.ts";
import { CommandError, usage } from "../CommandError.ts";
import * as Connection from "../Connection.ts";
import * as Input from "../Input.ts";
import * as Login from "../login/Login.ts";
import * as Output from "../Output.ts";

/**
 * The tools of an agent, over REST with the caller's own key: a person's command is not a sign of life
 * of the agent.
 */

interface Flags extends Connection.ResultFlags {
  readonly agent: Option.Option<string>;
}

/** Milliseconds for a tool call: more than any server's `callMaxSeconds`, which ends it. */
const callMillis = 86_460_000;

const open = Effect.fnUntraced(function* (flags: Flags) {
  const access = yield* Connection.open(flags);
  return { access, agentId: yield* Login.agentOf(access, flags.agent) };
});

/** The first sentence of a description. */
const summaryOf = ({ description }: AgentTool): string =>
  /^.*?[.!?](?=\s|$)/s.exec(description ?? "")?.[0] ?? description ?? "";

export const search = Effect.fnUntraced(function* (
  flags: Flags & { readonly query: ReadonlyArray<string>; readonly limit: number },
) {
  const { access, agentId } = yield* open(flags);
  const request = { agentId, q: flags.query.join(" "), limit: flags.limit };
  const { tools } = yield* Api.call(access, (client, options) =>
    client.tools.list(request, options),
  );
  yield* Output.list(
    flags.json,
    tools,
    ["NAME", "SUMMARY"],
    tools.map((tool) => [tool.name, summaryOf(tool)]),
  );
});

export const describe = Effect.fnUntraced(function* (flags: Flags & { readonly tool: string }) {
  const { access, agentId } = yield* open(flags);
  const { tools } = yield* Api.call(access, (client, options) =>
    client.tools.list({ agentId }, options),
  );
  const tool = tools.find(({ name }) => name === flags.tool);
  if (tool === undefined) {
    return yield* new CommandError({
      kind: "notFound",
      message: Output.cell(
        `The agent ${agentId} may use no tool ${flags.tool}. Find one with \`quartermaster tool search\`. (not-found)`,
      ),
      problem: "not-found",
      retryAfterSeconds: null,
    });
  }
  yield* Output.one(flags.json, tool, [
    Output.cell(tool.name),
    ...(tool.description === null ? [] : [Output.multiline(tool.description)]),
    "",
    Output.multiline(JSON.stringify(tool.inputSchema, null, 2)),
  ]);
});

/** One line per block of a result: its text, or its type, media type and URI. */
const lineOf = (block: Input.JsonObject): string => {
  const { mimeType, text, type, uri } = block;
  if (typeof text === "string") return Output.multiline(text);
  const about = [type, mimeType, uri].filter((part) => typeof part === "string");
  return Output.cell(`[${about.join(" ")}]`);
};

const linesOf = ({ content, structuredContent }: ToolCallResult): ReadonlyArray<string> => {
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
  const { access, agentId } = yield* open(flags);
  const call = { agentId, name: flags.tool, arguments: args };
  const result = yield* Output.waitingDuring(
    `for ${flags.tool}`,
    Api.call(access, (client, options) => client.tools.call(call, options), {
      timeoutMillis: callMillis,
    }),
  );
  yield* Output.one(flags.json, result, linesOf(result));
  if (result.isError) {
    return yield* new CommandError({
      kind: "refused",
      message: `The tool ${flags.tool} reported an error.`,
      problem: null,
      retryAfterSeconds: null,
    });
  }
});
