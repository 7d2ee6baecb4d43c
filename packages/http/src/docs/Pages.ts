import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { Effect } from "effect";
import * as Dashboard from "../Dashboard.ts";

/**
 * The rendered documentation, which `npm run build` writes to the folder `docs` beside the
 * dashboard's page. It is read on the first request.
 */

export interface DocsPage {
  /** The path below `/docs`; empty for the index. */
  readonly path: string;
  readonly section: string;
  readonly title: string;
  readonly html: string;
  readonly headings: ReadonlyArray<{
    readonly id: string;
    readonly depth: number;
    readonly title: string;
  }>;
}

export interface Documentation {
  /** The file names in `assets`. */
  readonly font: string;
  readonly style: string;
  readonly script: string;
  readonly icon: string;
  readonly pages: ReadonlyArray<DocsPage>;
}

const decompress = promisify(brotliDecompress);

/** The folder `docs` beside the built dashboard. */
export const folder = Effect.map(Dashboard.Folder, (page) => join(page, "docs"));

/** The documentation; null if it was not built. */
export const documentation = Effect.flatMap(folder, (path) =>
  Effect.tryPromise(async (): Promise<Documentation> =>
    JSON.parse((await decompress(await readFile(join(path, "pages.json.br")))).toString()),
  ).pipe(Effect.orElseSucceed(() => null)),
);
