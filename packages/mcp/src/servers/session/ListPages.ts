import { Definition, McpConnector } from "@quartermaster/core";
import { Effect, Predicate } from "effect";
import { maxMessageBytes } from "../../protocol/Limits.ts";
import { type List, lists } from "./Session.ts";

const { ConnectorError } = McpConnector;
type ConnectorError = McpConnector.ConnectorError;

const maxPages = 200;

const failure = (list: List, why: string) =>
  new ConnectorError({
    reason: "listFailed",
    message: `\`initialize\` answered but \`${lists[list]}\` failed: ${why}.`,
    sent: true,
  });

/**
 * Reads all pages of a server's list, each item unchanged. Stops after more items than core uses,
 * so that an endless list uses bounded memory.
 */
export const all = Effect.fnUntraced(function* (
  list: List,
  page: (
    cursor: string | undefined,
  ) => Effect.Effect<unknown, McpConnector.RpcError | ConnectorError>,
) {
  const listFailed = (why: string) => failure(list, why);
  const all: Array<unknown> = [];
  const cursors = new Set<string>();
  let bytes = 0;
  let cursor: string | undefined;
  for (;;) {
    const answer = yield* Effect.catchTag(page(cursor), "RpcError", ({ code, message }) =>
      Effect.fail(listFailed(`${message} (${code})`)),
    );
    const { items, nextCursor } = yield* read(list, answer);
    for (const item of items) all.push(item);
    if (all.length > Definition.maxTools) break;
    if (nextCursor !== undefined && cursors.has(nextCursor)) {
      return yield* listFailed("the same cursor came twice");
    }
    cursor = nextCursor;
    if (cursor === undefined) break;
    cursors.add(cursor);
    if (cursors.size >= maxPages) return yield* listFailed(`more than ${maxPages} pages`);
    bytes += sizeOf(items);
    if (bytes > maxMessageBytes) {
      return yield* listFailed(`more than ${maxMessageBytes} bytes in its pages`);
    }
  }
  return all;
});

/** The size in characters of JSON; infinite if the items are nested too deeply to serialize. */
const sizeOf = (items: ReadonlyArray<unknown>): number => {
  try {
    return JSON.stringify(items).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};

const read = (list: List, answer: unknown) => {
  const members = Predicate.isReadonlyObject(answer) ? answer : {};
  const { nextCursor, [list]: items } = members;
  return Array.isArray(items)
    ? Effect.succeed({
        items: items as ReadonlyArray<unknown>,
        nextCursor: typeof nextCursor === "string" && nextCursor !== "" ? nextCursor : undefined,
      })
    : Effect.fail(failure(list, `its response is not a list of ${list}`));
};
