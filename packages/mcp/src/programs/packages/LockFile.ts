import { Schema } from "effect";

const Dependencies = Schema.optionalKey(Schema.Record(Schema.String, Schema.String));

const Locked = Schema.Struct({
  version: Schema.optionalKey(Schema.String),
  resolved: Schema.optionalKey(Schema.String),
  integrity: Schema.optionalKey(Schema.String),
  link: Schema.optionalKey(Schema.Boolean),
  inBundle: Schema.optionalKey(Schema.Boolean),
  dependencies: Dependencies,
  optionalDependencies: Dependencies,
  peerDependencies: Dependencies,
});

/** `package-lock.json`: the packages of a tree by folder. The root of the tree has the key "". */
export const LockFile = Schema.fromJsonString(
  Schema.Struct({ packages: Schema.Record(Schema.String, Locked) }),
);
export interface LockFile extends Schema.Schema.Type<typeof LockFile> {}

/**
 * Whether a specifier is a range, a tag or a registry name, rather than a repository, URL or file.
 */
const isOfRegistry = (specifier: string): boolean =>
  !/[:/\\]|^\.|\.t(?:ar\.)?gz$/.test(specifier.replace(/^npm:(?:@[^/]+\/)?/, ""));

/**
 * Describes what is wrong with a tree; null if it is valid. Every dependency must come from the
 * registry, and every package must have the integrity that the registry published, which npm
 * compared with the download. A bundled package belongs to the archive of its parent.
 */
export const problem = ({ packages }: LockFile): string | null => {
  for (const [folder, locked] of Object.entries(packages)) {
    const name = folder.replace(/^.*node_modules\//, "");
    const { dependencies, optionalDependencies, peerDependencies } = locked;
    const all = { ...peerDependencies, ...optionalDependencies, ...dependencies };
    for (const [dependency, specifier] of Object.entries(all)) {
      if (!isOfRegistry(specifier)) {
        return `${name || "It"} depends on ${dependency} as ${specifier}, which is not in the registry`;
      }
    }
    if (folder === "" || locked.inBundle === true) continue;
    if (locked.link === true || !/^https?:/.test(locked.resolved ?? "https:")) {
      return `${name} is not from the registry`;
    }
    if (locked.integrity === undefined) return `${name} has no integrity`;
  }
  return null;
};
