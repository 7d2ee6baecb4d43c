import { readFileSync } from "node:fs";
import { Effect } from "effect";
import { format } from "oxfmt";
import { commandsPage } from "./commands.ts";
import { variablesPage } from "./variables.ts";

/** The generated pages of the reference, as [file, text]. */
export const referencePages = async (): Promise<ReadonlyArray<readonly [string, string]>> => {
  const { printWidth } = JSON.parse(
    readFileSync(new URL("../../.oxfmtrc.json", import.meta.url), "utf8"),
  );
  const pages = [
    ["docs/reference/cli.md", await Effect.runPromise(commandsPage)],
    ["docs/reference/configuration.md", variablesPage],
  ] as const;
  return Promise.all(
    pages.map(
      async ([file, text]) => [file, (await format(file, text, { printWidth })).code] as const,
    ),
  );
};
