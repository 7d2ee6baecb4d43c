import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./programs.ts";

/** The text of a file, by its path in the repository. */
export const read = (file: string): string => readFileSync(join(root, file), "utf8");

/** The anchors of a page's headings, as the hosts of repositories derive them. */
export const anchorsIn = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, "")
      .replaceAll(" ", "-"),
  );
