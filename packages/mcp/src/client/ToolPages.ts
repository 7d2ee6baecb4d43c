import { Definition, McpConnector } from "@quartermaster/core";
import { Effect, Predicate } from "effect";
import { maxMessageBytes } from "../protocol/Limits.ts";

const { ConnectorError } = McpConnector;
type ConnectorError = McpConnector.ConnectorError;

const maxPages = 200;

const listFailed = (why: string) =>
  new ConnectorError({
    reason: "listFailed",
    message: `\`initialize\` answered but \`tools/list\` failed: ${why}.`,
    sent: true,
  });

/**
 * Reads the pages of a server's tools, each definition unchanged. Stops after more tools than core uses, so that a
 * list without end stays in bounded memory.
 */
export const all = Effect.fnUntraced(function* (
  page: (
    cursor: string | undefined,
  ) => Effect.Effect<unknown, McpConnector.RpcError | ConnectorError>,
) {
  const all: Array<unknown> = [];
  const cursors = new Set<string>();
  let bytes = 0;
  let cursor: string | undefined;
  for (;;) {
    const answer = yield* Effect.catchTag(page(cursor), "RpcError", ({ code, message }) =>
      Effect.fail(listFailed(`${message} (${code})`)),
    );
    const { tools, nextCursor } = yield* read(answer);
    for (const tool of tools) all.push(tool);
    if (all.length > Definition.maxTools) break;
    if (nextCursor !== undefined && cursors.has(nextCursor)) {
      return yield* listFailed("the same cursor came twice");
    }
    cursor = nextCursor;
    if (cursor === undefined) break;
    cursors.add(cursor);
    if (cursors.size >= maxPages) return yield* listFailed(`more than ${maxPages} pages`);
    bytes += sizeOf(tools);
    if (bytes > maxMessageBytes) {
      return yield* listFailed(`more than ${maxMessageBytes} bytes in its pages`);
    }
  }
  return all;
});

/** In characters; infinite if it is nested too deep to be written. */
const sizeOf = (tools: ReadonlyArray<unknown>): number => {
  try {
    return JSON.stringify(tools).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};

const notAList = Effect.suspend(() =>
  Effect.fail(listFailed("its response is not a list of tools")),
);

const read = (answer: unknown) => {
  if (!Predicate.isReadonlyObject(answer)) return notAList;
  const { nextCursor, tools } = answer;
  return Array.isArray(tools)
    ? Effect.succeed({
        tools: tools as ReadonlyArray<unknown>,
        nextCursor: typeof nextCursor === "string" && nextCursor !== "" ? nextCursor : undefined,
      })
    : notAList;
};
