import { Effect, Hash, Result, Schema } from "effect";
import { Base64Url } from "effect/encoding";
import { InvalidRequest } from "./CommonErrors.ts";

/**
 * Keyset paging. A list is ordered by its rows' `seq`; a cursor names the last row of a page and
 * belongs to the query it came from.
 */

export const Order = Schema.Literals(["asc", "desc"]);
export type Order = typeof Order.Type;

/** What a caller may ask of a list. */
export interface PageRequest {
  /** 1 to 500, 100 unless told. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly order?: Order | undefined;
}

/** A page and, while more follow, the cursor of the next. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>;
  readonly next: string | null;
}

/** What a store is asked for: at most `limit` rows whose `seq` lies beyond `after` in this order. */
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
 * Reads one page. `query` is what the cursor belongs to: everything that decides which rows the
 * list has, and in which order it is without `order`.
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
    return InvalidRequest.at("cursor", "is not one of this query's; begin again without it");
  }
  return Effect.map(fetch({ limit: limit + 1, order, after }), (rows) => {
    const items = rows.slice(0, limit);
    const last = rows.length > limit ? items.at(-1) : undefined;
    return { items, next: last === undefined ? null : encode(query, last.seq) };
  });
};

/** The same page of other items. */
export const map = <A, B>(page: Page<A>, f: (item: A) => B): Page<B> => ({
  items: page.items.map(f),
  next: page.next,
});
