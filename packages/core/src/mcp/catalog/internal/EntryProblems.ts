import { Effect } from "effect";
import { SettingNames } from "../../../SettingNames.ts";
import { type CatalogEntry, isStdio, variablesIn } from "../../CatalogEntry.ts";
import { isLoaderVariable } from "../../LoaderVariables.ts";
import type { PackageStore } from "../../PackageStore.ts";

type Problem = readonly [path: string, message: string];

/**
 * Rules for entries that the schema cannot express. Returns the violations of an entry as pairs of
 * field and problem.
 */
export const problems = (entry: CatalogEntry): ReadonlyArray<Problem> => {
  const { manifest } = entry;
  const found: Array<Problem> = [];
  const declared = new Set(entry.envVars.map(({ name }) => name));
  if (declared.size < entry.envVars.length) found.push(["envVars", "names a variable twice"]);
  if (isStdio(manifest) !== (entry.transport === "stdio")) {
    found.push(["manifest", `does not fit the transport ${entry.transport}`]);
  }
  const texts = isStdio(manifest)
    ? [...manifest.args, ...(manifest.sandbox?.read ?? []), ...(manifest.sandbox?.write ?? [])]
    : [manifest.url, ...Object.values(manifest.headers)];
  for (const name of texts.flatMap(variablesIn)) {
    if (!declared.has(name))
      found.push(["manifest", `refers to \${${name}}, which envVars does not declare`]);
  }
  if (isStdio(manifest)) {
    if (manifest.package !== null && manifest.version === null) {
      found.push(["manifest.version", "is required with package"]);
    }
    if (manifest.package !== null && entry.runtime === "none") {
      found.push(["runtime", "must be node, python or pipx with a package"]);
    }
  } else {
    const [origin = ""] = manifest.url.match(/^https?:\/\/[^/?#]*/) ?? [];
    if (variablesIn(origin).length > 0) {
      found.push(["manifest.url", "must not have a variable in scheme, host or port"]);
    }
  }
  return found;
};

/** More rules for the entries of Owners, which the operator of the host did not write. */
export const ownProblems = Effect.fnUntraced(function* (
  { envVars, manifest }: CatalogEntry,
  isAllowedPath: (typeof PackageStore)["Service"]["isAllowedPath"],
) {
  if (!isStdio(manifest)) return [];
  const named = [
    ...Object.keys(manifest.env).map((name) => [`manifest.env.${name}`, name] as const),
    ...envVars.map(({ name }, at) => [`envVars.${at}.name`, name] as const),
  ];
  const found: Array<Problem> = named
    .filter(([, name]) => isLoaderVariable(name))
    .map(([path, name]) => [
      path,
      `must not be ${name}, which makes a loader or a runtime run other code`,
    ]);
  for (const kind of ["read", "write"] as const) {
    for (const [at, path] of (manifest.sandbox?.[kind] ?? []).entries()) {
      // A path with a variable is checked when the server starts.
      if (variablesIn(path).length > 0 || (yield* isAllowedPath(path))) continue;
      const { allowedPaths, catalog } = yield* SettingNames;
      found.push([
        `manifest.sandbox.${kind}.${at}`,
        `is not in a folder that ${allowedPaths} names. Add its folder there and restart the service, or put the entry in ${catalog}.`,
      ]);
    }
  }
  return found;
});
