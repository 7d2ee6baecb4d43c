import { AuditLog, Principal } from "@quartermaster/core";
import { Effect, Option, Stream } from "effect";
import { HttpServerResponse } from "effect/http";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";

const mediaType = "application/x-ndjson";
const pageItems = 500;

/** Whether the `Accept` header names the media type. */
const accepts = (header: string | undefined): boolean =>
  header?.split(",").some((range) => range.split(";")[0]?.trim().toLowerCase() === mediaType) ??
  false;

export const layer = Handlers.layer(
  Effect.map(AuditLog.AuditLog, (audit) => {
    type Query = NonNullable<Parameters<typeof audit.list>[0]>;

    /** The entries as lines. The first page is read before the response starts. */
    const lines = Effect.fnUntraced(function* ({ limit = Infinity, ...query }: Query) {
      const principal = yield* Principal.CurrentPrincipal;
      const read = (cursor: string | undefined, left: number) =>
        Effect.map(
          audit.list({ ...query, cursor, limit: Math.min(pageItems, left) }),
          ({ items, next }) => ({ items, next, left: left - items.length }),
        );
      const first = yield* read(query.cursor, limit);
      const later = Stream.paginate(first, ({ left, next }) =>
        next === null || left <= 0
          ? Effect.succeed([[], Option.none<typeof first>()])
          : Effect.map(read(next, left), (page) => [page.items, Option.some(page)]),
      );
      return HttpServerResponse.stream(
        Stream.fromIterable(first.items).pipe(
          Stream.concat(later),
          Stream.map((entry) => `${JSON.stringify(entry)}\n`),
          Stream.encodeText,
          Stream.provideService(Principal.CurrentPrincipal, principal),
        ),
        { contentType: mediaType, headers: { "cache-control": "no-store" } },
      );
    });

    return Handlers.of("audit", {
      list: ({ query, request }) =>
        accepts(request.headers["accept"])
          ? lines(query)
          : Reply.page(query, (page) => audit.list(page)),
    });
  }),
);
