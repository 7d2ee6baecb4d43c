import { Effect, Hash, Result, Schema } from "effect";
import { Base64Url } from "effect/encoding";
import { InvalidRequest } from "./CommonErrors.ts";

/**
 * Keyset paging. A list is ordered by its rows' `seq`; a cursor names the last row of a page and
 * is valid only for the query that returned it.
 */

export const Order = Schema.Literals(["asc", "desc"]);
export type Order = typeof Order.Type;

/** Which page of a list the caller wants. */
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

/** The rows that a store returns: at most `limit`, whose `seq` is beyond `after` in this order. */
export interface Slice {
  readonly limit: number;
  readonly order: Order;
  readonly after: number | null;
}

const encode = (query: string, seq: number): string =>
  Base64Url.encode(`${Hash.string(query) >>> 0}.${seq}`);

const decode = (query: string, cursor: string): number | undefined => {
  const text = Result.getOrUndefined(Base64Url.decodeString(cursor));
  const [hash, seq] = text?.match(/^(\d+)\.(\d{1,15})$/)?.slice(1) ?? [];
  return hash === String(Hash.string(query) >>> 0) ? Number(seq) : undefined;
};

/**
 * Reads one page. `query` is everything that decides which rows the list has; a cursor is valid only
 * for the same query and order. Fails with `InvalidRequest` for a wrong `limit` or `cursor`.
 */
export const read = <Row extends { readonly seq: number }, E, R>(
  request: PageRequest & { readonly query: ReadonlyArray<unknown>; readonly defaultOrder: Order },
  fetch: (slice: Slice) => Effect.Effect<ReadonlyArray<Row>, E, R>,
): Effect.Effect<Page<Row>, E | InvalidRequest, R> => {
  const limit = request.limit ?? 100;
  const order = request.order ?? request.defaultOrder;
  const query = JSON.stringify([...request.query, order]);
  const after = request.cursor === undefined ? null : decode(query, request.cursor);
  if (!Number.isInteger(limit) || limit < 1 || limit > 500) {
    return InvalidRequest.at("limit", "must be a whole number from 1 to 500");
  }
  if (after === undefined) {
    return InvalidRequest.at("cursor", "does not belong to this query; start again without it");
  }
  return Effect.map(fetch({ limit: limit + 1, order, after }), (rows) => {
    const items = rows.slice(0, limit);
    const last = rows.length > limit ? items.at(-1) : undefined;
    return { items, next: last === undefined ? null : encode(query, last.seq) };
  });
};

/** The page with each item mapped. */
export const map = <A, B>(page: Page<A>, f: (item: A) => B): Page<B> => ({
  items: page.items.map(f),
  next: page.next,
});
