import type { IssueStore, Page } from "@quartermaster/core";
import { KeepAlive } from "@quartermaster/mcp";
import { Effect, type Scope, Stream } from "effect";
import { HttpServerResponse } from "effect/http";

/**
 * The results of handlers: values, which the endpoint encodes, or responses, which it sends
 * unchanged.
 */

/**
 * A value with its status and headers. Core's services return plain JSON, so no schema is needed to
 * encode it.
 */
export interface Value<out A> {
  readonly _tag: "Value";
  readonly status: number;
  readonly value: A;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** A range of a page: its length, and the cursor where it starts. */
export interface Slice {
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** A page with headers of its own. */
export interface HeadedPage<out Item> extends Page.Page<Item> {
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page of a list, which `Pages` reads in slices. */
export interface Paged<out Item, out E, out R> {
  readonly _tag: "Paged";
  readonly query: Page.PageRequest;
  readonly read: (slice: Slice) => Effect.Effect<HeadedPage<Item>, E, R>;
}

/** The results that a handler may return for a success of the contract. */
export type Reply<A, E, R> =
  | Value<A>
  | HttpServerResponse.HttpServerResponse
  | (A extends ReadonlyArray<infer Item> ? Paged<Item, E, R> : never);

const value = <A>(status: number, value: A, headers?: Record<string, string>): Value<A> => ({
  _tag: "Value",
  status,
  value,
  headers,
});

/** 200 with the value. */
export const ok = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Value<A>, E, R> =>
  Effect.map(effect, (result) => value(200, result));

/**
 * 200 with a value that may take long. If it is pending after `timing.afterMillis`, the response
 * starts: spaces until the value is there. A refusal after that is the value of `onRefusal`.
 */
export const patient = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  timing: KeepAlive.Timing,
  onRefusal: (refusal: E) => A,
): Effect.Effect<Value<A> | HttpServerResponse.HttpServerResponse, E, R | Scope.Scope> =>
  KeepAlive.orLate(ok(effect), timing, (pending) => {
    const settled = Effect.catch(pending, (refusal) =>
      Effect.succeed(value(200, onRefusal(refusal))),
    );
    const body = KeepAlive.until(settled, timing, KeepAlive.space, (result) =>
      Stream.encodeText(Stream.make(JSON.stringify(result.value))),
    );
    return HttpServerResponse.stream(body, {
      contentType: "application/json",
      headers: KeepAlive.headers,
    });
  });

/** 201 with the created value, and its URL if it has one. */
export const created = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  location?: (made: A) => string,
): Effect.Effect<Value<A>, E, R> =>
  Effect.map(effect, (made) =>
    value(201, made, location === undefined ? undefined : { location: location(made) }),
  );

/** 202 with the state when the background work starts, as `Prefer: respond-async` requests. */
export const accepted = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Value<A>, E, R> =>
  Effect.map(effect, (current) => value(202, current, { "preference-applied": "respond-async" }));

/** 202 with the state of work that follows. */
export const queued = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Value<A>, E, R> =>
  Effect.map(effect, (current) => value(202, current));

const none: Value<void> = value(204, undefined);

/** 204 without a body. */
export const noContent = <E, R>(
  effect: Effect.Effect<unknown, E, R>,
): Effect.Effect<Value<void>, E, R> => Effect.as(effect, none);

interface Versioned {
  readonly version: number;
}

const etag = ({ version }: Versioned) => `"${version}"`;

/** 200 with a versioned value; the version is its `ETag`. */
export const versioned = <A extends Versioned, E, R>(
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<Value<A>, E, R> =>
  Effect.map(effect, (result) => value(200, result, { etag: etag(result) }));

/** 201 with a versioned value and its URL. */
export const createdVersioned = <A extends Versioned, E, R>(
  effect: Effect.Effect<A, E, R>,
  location: (made: A) => string,
): Effect.Effect<Value<A>, E, R> =>
  Effect.map(effect, (made) => value(201, made, { etag: etag(made), location: location(made) }));

/** 200 with a page from `read`, and `Link: <...>; rel="next"` if more items follow. */
export const page = <Query extends Page.PageRequest, Item, E, R>(
  query: Query,
  read: (query: Query & Slice) => Effect.Effect<HeadedPage<Item>, E, R>,
): Effect.Effect<Paged<Item, E, R>> =>
  Effect.succeed({ _tag: "Paged", query, read: (slice) => read({ ...query, ...slice }) });

/** As `page`, for a list that a search may have found. */
export const found = <Query extends Page.PageRequest, Item, E, R>(
  query: Query,
  read: (query: Query & Slice) => Effect.Effect<IssueStore.FoundPage<Item>, E, R>,
): Effect.Effect<Paged<Item, E, R>> =>
  page(query, (slice) =>
    Effect.map(read(slice), ({ asOf, isTruncated, ...rest }) => ({
      ...rest,
      headers: {
        ...(isTruncated ? { "quartermaster-truncated": "true" } : {}),
        ...(asOf === null ? {} : { "quartermaster-as-of": asOf }),
      },
    })),
  );
