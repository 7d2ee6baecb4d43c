import { Array, Context, Effect, Layer, Schema } from "effect";
import { errorsOf } from "../../Input.ts";
import { type CatalogEntry, WrittenEntry } from "../CatalogEntry.ts";
import { entries as builtIn } from "./entries/index.ts";
import { problems } from "./internal/EntryProblems.ts";

/** A file with more entries. Messages name its path. */
export interface CatalogFile {
  readonly path: string;
  readonly text: string;
}

/** A catalog file that cannot be used. The message names file and field. */
export class CatalogError extends Schema.TaggedError<CatalogError>()("CatalogError", {
  path: Schema.String,
  reason: Schema.String,
}) {
  override get message() {
    return `The catalog file ${this.path} cannot be used: ${this.reason}`;
  }
}

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Array(WrittenEntry)), {
  onExcessProperty: "error",
});

interface Found {
  readonly path: string;
  readonly entry: CatalogEntry;
}

const read = Effect.fnUntraced(function* ({ path, text }: CatalogFile) {
  const refuse = (reason: string) => new CatalogError({ path, reason });
  const entries = yield* Effect.mapError(decode(text), ({ issue }) => {
    const [{ path: field, message } = { path: "", message: "it is not an array of entries" }] =
      errorsOf(issue);
    return refuse(field === "" ? message : `${field}: ${message}`);
  });
  for (const entry of entries) {
    const [problem] = problems(entry);
    if (problem !== undefined) {
      return yield* refuse(`${entry.id}: ${problem[0]} ${problem[1]}`);
    }
  }
  return entries.map((entry): Found => ({ path, entry: { ...entry, source: "file" } }));
});

/**
 * The entries that the host provides, in the order of its files. `CatalogEntries` adds the entries
 * of Owners.
 */
export class Catalog extends Context.Service<
  Catalog,
  {
    readonly all: ReadonlyArray<CatalogEntry>;
    readonly byId: ReadonlyMap<string, CatalogEntry>;
  }
>()("@quartermaster/core/mcp/catalog/Catalog") {
  /**
   * The built-in entries, and the entries of files.
   *
   * @example
   * ```ts
   * import { Catalog } from "@quartermaster/core";
   * import { Effect } from "effect";
   *
   * const entries = JSON.stringify([
   *   {
   *     id: "tickets",
   *     name: "Tickets",
   *     description: "The tickets of the help desk",
   *     category: "saas",
   *     transport: "http",
   *     runtime: "none",
   *     installInstructions: "Nothing to do.",
   *     manifest: { url: "https://tickets.example/mcp" },
   *   },
   * ]);
   *
   * export const example = Effect.gen(function* () {
   *   const catalog = yield* Catalog.Catalog;
   *   return catalog.all.at(-1)?.id; // "tickets"
   * }).pipe(Effect.provide(Catalog.Catalog.layerWith([{ path: "company.json", text: entries }])));
   * ```
   */
  static readonly layerWith = (
    files: ReadonlyArray<CatalogFile>,
  ): Layer.Layer<Catalog, CatalogError> =>
    Layer.effect(
      Catalog,
      Effect.gen(function* () {
        const further = Array.flatten(yield* Effect.forEach(files, read));
        const byId = new Map(builtIn.map((entry) => [entry.id, entry]));
        for (const { path, entry } of further) {
          if (byId.has(entry.id)) {
            return yield* new CatalogError({ path, reason: `id: ${entry.id} is used twice` });
          }
          byId.set(entry.id, entry);
        }
        return Catalog.of({ all: [...byId.values()], byId });
      }),
    );

  static readonly layer: Layer.Layer<Catalog> = Layer.orDie(Catalog.layerWith([]));
}
