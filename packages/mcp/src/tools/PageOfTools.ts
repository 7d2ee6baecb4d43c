import type { Tool } from "@quartermaster/core";
import { Result } from "effect";
import { Base64Url } from "effect/encoding";

/** Pages of a list that may change between two of them. */

export interface ToolPage {
  readonly tools: ReadonlyArray<Tool.ToolDefinition>;
  readonly nextCursor?: string;
}

/** A cursor is where the next page began, and the name of the tool before it. */
const encode = (offset: number, name: string) => Base64Url.encode(`${offset}.${name}`);

/** Where a page begins: after the tool that the last one ended with, wherever that is by now. */
const beginningOf = (
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

/** One page of the tools; undefined for a cursor that is none. */
export const read = (
  tools: ReadonlyArray<Tool.ToolDefinition>,
  cursor: unknown,
  pageSize: number,
): ToolPage | undefined => {
  const from = beginningOf(tools, cursor);
  if (from === undefined) return undefined;
  const page = tools.slice(from, from + pageSize);
  const last = page.at(-1);
  return from + pageSize >= tools.length || last === undefined
    ? { tools: page }
    : { tools: page, nextCursor: encode(from + pageSize, last.name) };
};
