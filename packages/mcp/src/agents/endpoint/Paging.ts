import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { Effect, Result } from "effect";
import { Base64Url } from "effect/encoding";

/** Pagination of a list that may change between requests. */

export interface Page<A> {
  readonly items: ReadonlyArray<A>;
  readonly nextCursor?: string;
}

/** A cursor contains the offset of the next page and the name of the last item before it. */
const encode = (offset: number, name: string) => Base64Url.encode(`${offset}.${name}`);

/**
 * The offset of the next page: after the last item of the previous page if it is still listed,
 * otherwise the encoded offset.
 */
const offsetOf = <A>(
  items: ReadonlyArray<A>,
  nameOf: (item: A) => string,
  cursor: unknown,
): number | undefined => {
  if (isFirst(cursor)) return 0;
  if (typeof cursor !== "string") return undefined;
  const text = Result.getOrUndefined(Base64Url.decodeString(cursor));
  const [, offset, last] = text?.match(/^(\d{1,9})\.(.+)$/s) ?? [];
  if (offset === undefined) return undefined;
  const index = items.findIndex((item) => nameOf(item) === last);
  return index === -1 ? Number(offset) : index + 1;
};

/** Whether a cursor asks for the first page. */
export const isFirst = (cursor: unknown): boolean => cursor === undefined || cursor === null;

/** The error for an invalid cursor. */
export const invalidCursor = Effect.suspend(() =>
  Effect.fail(
    new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "The cursor is not from this list. Start again without a cursor.",
    ),
  ),
);

/** Returns one page of items; undefined for an invalid cursor. */
export const read = <A>(
  items: ReadonlyArray<A>,
  nameOf: (item: A) => string,
  cursor: unknown,
  pageSize: number,
): Page<A> | undefined => {
  const from = offsetOf(items, nameOf, cursor);
  if (from === undefined) return undefined;
  const page = items.slice(from, from + pageSize);
  const last = page.at(-1);
  return from + pageSize >= items.length || last === undefined
    ? { items: page }
    : { items: page, nextCursor: encode(from + pageSize, nameOf(last)) };
};
