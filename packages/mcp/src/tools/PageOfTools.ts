import type { Tool } from "@quartermaster/core";
import { Result } from "effect";
import { Base64Url } from "effect/encoding";

/** Pages of a list that may change between two requests. */

export interface ToolPage {
  readonly tools: ReadonlyArray<Tool.ToolDefinition>;
  readonly nextCursor?: string;
}

/** A cursor is the offset of the next page, and the name of the tool before it. */
const encode = (offset: number, name: string) => Base64Url.encode(`${offset}.${name}`);

/** The offset of a page: after the last tool of the page before, wherever that tool is now. */
const offsetOf = (
  tools: ReadonlyArray<Tool.ToolDefinition>,
  cursor: unknown,
): number | undefined => {
  if (cursor === undefined || cursor === null) return 0;
  if (typeof cursor !== "string") return undefined;
  const text = Result.getOrUndefined(Base64Url.decodeString(cursor));
  const [, offset, last] = text?.match(/^(\d{1,9})\.(.+)$/s) ?? [];
  if (offset === undefined) return undefined;
  const index = tools.findIndex(({ name }) => name === last);
  return index === -1 ? Number(offset) : index + 1;
};

/** One page of the tools; undefined for an invalid cursor. */
export const read = (
  tools: ReadonlyArray<Tool.ToolDefinition>,
  cursor: unknown,
  pageSize: number,
): ToolPage | undefined => {
  const from = offsetOf(tools, cursor);
  if (from === undefined) return undefined;
  const page = tools.slice(from, from + pageSize);
  const last = page.at(-1);
  return from + pageSize >= tools.length || last === undefined
    ? { tools: page }
    : { tools: page, nextCursor: encode(from + pageSize, last.name) };
};
