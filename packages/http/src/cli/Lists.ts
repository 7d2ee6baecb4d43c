import type { CallOptions, Client, Pages } from "@quartermaster/client";
import type { Effect } from "effect";
import * as Api from "./Api.ts";
import type { CommandError } from "./CommandError.ts";

/** Items of the pages that hold so many items. */
export const pageSize = (limit: number): number => Math.min(500, Math.max(1, limit));

/** Reads a list to its end, or up to `limit` items. */
export const take = <A>(
  access: Api.Access,
  limit: number,
  list: (client: Client, options: CallOptions) => Pages<A>,
): Effect.Effect<ReadonlyArray<A>, CommandError> =>
  Api.call(access, async (client, options) => {
    const items: Array<A> = [];
    if (limit < 1) return items;
    for await (const item of list(client, options)) {
      items.push(item);
      if (items.length >= limit) break;
    }
    return items;
  });
