import type { CallOptions, Client, Pages } from "@quartermaster/client";
import { Effect, Stream } from "effect";
import * as Api from "./Api.ts";
import type { CommandError } from "./CommandError.ts";

/** The page size for a list of at most `limit` items. */
export const pageSize = (limit: number): number => Math.min(500, Math.max(1, limit));

/** The time limit of one page. */
const pageTimeout = "60 seconds";

type List<A> = (client: Client, options: CallOptions) => Pages<A>;

/** The items of a list. Each page is read when its first item is needed. */
export const stream = <A>(access: Api.Access, list: List<A>): Stream.Stream<A, CommandError> =>
  Stream.unwrap(
    Effect.map(
      Api.open(access, (client, signal) => Promise.resolve(list(client, { signal }))),
      (pages) => Stream.fromAsyncIterable(pages, Api.failure(access.url)),
    ),
  ).pipe(
    Stream.timeoutOrElse({
      duration: pageTimeout,
      orElse: () => Stream.fail(Api.noResponse(access.url)),
    }),
  );

/** Reads a list to its end, or up to `limit` items. */
export const take = <A>(
  access: Api.Access,
  limit: number,
  list: List<A>,
): Effect.Effect<ReadonlyArray<A>, CommandError> =>
  Stream.runCollect(Stream.take(stream(access, list), limit));
