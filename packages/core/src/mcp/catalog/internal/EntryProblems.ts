import { type CatalogEntry, isStdio, variablesIn } from "../../CatalogEntry.ts";

/**
 * Rules of entries that the schema does not express. Returns the violations of an entry as pairs of
 * field and problem.
 */
export const problems = (entry: CatalogEntry): ReadonlyArray<readonly [string, string]> => {
  const { manifest } = entry;
  const found: Array<readonly [string, string]> = [];
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
