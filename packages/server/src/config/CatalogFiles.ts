import { Catalog } from "@quartermaster/core";
import { Effect, FileSystem, Layer } from "effect";
import { ServerConfig } from "./ServerConfig.ts";
import { StartError } from "./StartError.ts";

const read = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem;
  const text = yield* Effect.mapError(
    fs.readFileString(path),
    ({ reason }) =>
      new StartError({
        message: `QM_CATALOG must name files that this user may read, but ${path} cannot be read (${reason._tag}).`,
      }),
  );
  return { path, text };
});

/** The built-in catalog together with the entries of the files in QM_CATALOG. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { catalogFiles } = yield* ServerConfig;
    const files = yield* Effect.forEach(catalogFiles, read);
    return Catalog.Catalog.layerWith(files).pipe(
      Layer.catch(({ message }) => Layer.effect(Catalog.Catalog, new StartError({ message }))),
    );
  }),
);
