import { Effect, Hash, Result, Schema } from "effect";
import { Base64Url } from "effect/encoding";
import { InvalidRequest } from "./CommonErrors.ts";

/**
 * Keyset paging. A list is ordered by the key of its rows, which is `seq` in most lists; a cursor names
 * the last row of a page and is valid only for the query that returned it.
 */

export const Order = Schema.Literals(["asc", "desc"]);
export type Order = typeof Order.Type;

/** The requested page of a list. */
export interface PageRequest {
  /** 1 to 500. Default: 100. */
  readonly limit?: number | undefined;
  /** `next` of the previous page. Default: the first page. */
  readonly cursor?: string | undefined;
  /** `asc` is oldest first. The default depends on the list. */
  readonly order?: Order | undefined;
}

/** A page, and the cursor of the next page; null on the last page. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>;
  readonly next: string | null;
}

/** The rows that a store returns: at most `limit`, whose key is beyond `after` in this order. */
export interface Slice<Key = number> {
  readonly limit: number;
  readonly order: Order;
  readonly after: Key | null;
}

/** The order of a list, and the form of its cursors. */
export interface Keyset<Row, Key> {
  readonly keyOf: (row: Row) => Key;
  readonly toText: (key: Key) => string;
  /** Returns undefined for text that is not a cursor. */
  readonly fromText: (text: string) => Key | undefined;
}

/** The hash covers the key, so that a changed cursor is not the cursor of another row. */
const encode = (query: string, key: string): string =>
  Base64Url.encode(`${Hash.string(`${query}.${key}`) >>> 0}.${key}`);

const decode = (query: string, cursor: string): string | undefined => {
  const text = Result.getOrUndefined(Base64Url.decodeString(cursor));
  const key = text?.match(/^\d+\.(.+)$/s)?.[1];
  // Base64 decodes several texts to the same bytes, and only the text that was sent is the cursor.
  return key !== undefined && encode(query, key) === cursor ? key : undefined;
};

const bySeq: Keyset<{ readonly seq: number }, number> = {
  keyOf: ({ seq }) => seq,
  toText: String,
  fromText: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined),
};

type Request = PageRequest & {
  /**
   * The parts of a query that decide which rows the list has. A cursor is valid only for the same
   * query and order.
   */
  readonly query: ReadonlyArray<unknown>;
  readonly defaultOrder: Order;
};

/** Reads one page of a list by `seq`. Fails with `InvalidRequest` for a wrong `limit` or `cursor`. */
export const read = <Row extends { readonly seq: number }, E, R>(
  request: Request,
  fetch: (slice: Slice) => Effect.Effect<ReadonlyArray<Row>, E, R>,
): Effect.Effect<Page<Row>, E | InvalidRequest, R> => readBy(bySeq, request, fetch);

/** Reads one page of a list by the list's own key, otherwise like `read`. */
export const readBy = <Row, Key, E, R>(
  { fromText, keyOf, toText }: Keyset<Row, Key>,
  request: Request,
  fetch: (slice: Slice<Key>) => Effect.Effect<ReadonlyArray<Row>, E, R>,
): Effect.Effect<Page<Row>, E | InvalidRequest, R> => {
  const limit = request.limit ?? 100;
  const order = request.order ?? request.defaultOrder;
  const query = JSON.stringify([...request.query, order]);
  const cursor = request.cursor === undefined ? null : decode(query, request.cursor);
  const after = typeof cursor === "string" ? fromText(cursor) : cursor;
  if (!Number.isInteger(limit) || limit < 1 || limit > 500) {
    return InvalidRequest.at("limit", "must be a whole number from 1 to 500");
  }
  if (after === undefined) {
    return InvalidRequest.at("cursor", "does not belong to this query; start again without it");
  }
  return Effect.map(fetch({ limit: limit + 1, order, after }), (rows) => {
    const items = rows.slice(0, limit);
    const last = rows.length > limit ? items.at(-1) : undefined;
    return { items, next: last === undefined ? null : encode(query, toText(keyOf(last))) };
  });
};

/** Maps every item of the page. */
export const map = <A, B>(page: Page<A>, f: (item: A) => B): Page<B> => ({
  items: page.items.map(f),
  next: page.next,
});
