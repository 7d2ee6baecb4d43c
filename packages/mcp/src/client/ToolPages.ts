import { McpConnector, type Tool } from "@quartermaster/core";
import { Effect, Predicate } from "effect";

const { ConnectorError } = McpConnector;
type ConnectorError = McpConnector.ConnectorError;

const maxTools = 10_000;
const maxPages = 200;

const listFailed = (why: string) =>
  new ConnectorError({
    reason: "listFailed",
    message: `\`initialize\` answered but \`tools/list\` failed: ${why}.`,
    sent: true,
  });

/** Reads all pages of a server's tools, each definition unchanged. */
export const all = Effect.fnUntraced(function* (
  page: (
    cursor: string | undefined,
  ) => Effect.Effect<unknown, McpConnector.RpcError | ConnectorError>,
) {
  const all = new Map<string, Tool.ToolDefinition>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const answer = yield* Effect.catchTag(page(cursor), "RpcError", ({ code, message }) =>
      Effect.fail(listFailed(`${message} (${code})`)),
    );
    const { tools, nextCursor } = yield* read(answer);
    for (const tool of tools) {
      if (all.has(tool.name)) {
        return yield* listFailed(`two tools have the name ${JSON.stringify(tool.name)}`);
      }
      all.set(tool.name, tool);
    }
    if (all.size > maxTools) return yield* listFailed(`more than ${maxTools} tools`);
    if (nextCursor !== undefined && cursors.has(nextCursor)) {
      return yield* listFailed("the same cursor came twice");
    }
    cursor = nextCursor;
    if (cursor !== undefined) cursors.add(cursor);
    if (cursors.size >= maxPages) return yield* listFailed(`more than ${maxPages} pages`);
  } while (cursor !== undefined);
  return [...all.values()];
});

const isTool = (value: unknown): value is Tool.ToolDefinition =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";

const notAList = Effect.suspend(() =>
  Effect.fail(listFailed("its response is not a list of tools")),
);

const read = (answer: unknown) => {
  if (!Predicate.isReadonlyObject(answer)) return notAList;
  const { nextCursor, tools } = answer;
  return Array.isArray(tools) && tools.every(isTool)
    ? Effect.succeed({
        tools,
        nextCursor: typeof nextCursor === "string" && nextCursor !== "" ? nextCursor : undefined,
      })
    : notAList;
};
