import { Effect, Schema } from "effect";
import * as Principal from "../../../access/Principal.ts";
import { InvalidRequest } from "../../../CommonErrors.ts";
import * as Input from "../../../Input.ts";
import { CatalogEntries } from "../../catalog/CatalogEntries.ts";
import type { WrittenEntry } from "../../CatalogEntry.ts";
import type { ImportResult, ServerJson } from "../../Import.ts";
import * as Naming from "./Naming.ts";
import * as RegistryServer from "./RegistryServer.ts";

/** Unlike `Input.decoder`, allows other properties, because the registry's schema grows. */
const decode = (document: ServerJson) =>
  Effect.mapError(
    Schema.decodeUnknownEffect(RegistryServer.RegistryServer)(document),
    ({ issue }) => new InvalidRequest({ errors: Input.errorsOf(issue) }),
  );

/** Creates the catalog entry of a `server.json`, for an Owner. */
export const make = Effect.gen(function* () {
  const catalog = yield* CatalogEntries;

  /** Creates the entry under this id, or under the first free id after it. */
  const createAs = (
    wanted: string,
    entry: RegistryServer.Draft["entry"],
    number = 1,
  ): ReturnType<typeof catalog.create> => {
    const numbered = { ...entry, id: Naming.numbered(wanted, number) };
    return Effect.catchTag(
      catalog.create(numbered as typeof WrittenEntry.Encoded),
      "EntryIdTaken",
      () => createAs(wanted, entry, number + 1),
    );
  };

  return Effect.fnUntraced(function* (document: ServerJson) {
    yield* Principal.requireUnbound("Owner");
    const server = yield* decode(document);
    const draft = RegistryServer.draft(server);
    if (!("entry" in draft)) return yield* new InvalidRequest({ errors: draft });
    const wanted = Naming.fit(server.name.replace(/^.*\//, ""), "server");
    const { id } = yield* createAs(wanted, draft.entry).pipe(
      // The id is free, and no earlier request had the same idempotency key.
      Effect.catchTags({
        EntryIdTaken: Effect.die,
        NotFound: Effect.die,
        IdempotencyMismatch: Effect.die,
      }),
    );
    const result: ImportResult = {
      name: server.name,
      status: "created",
      server: null,
      reason: null,
      details: [`The catalog entry ${id} is not verified.`, ...draft.notes].join(" "),
      catalogId: id,
    };
    return result;
  });
});
