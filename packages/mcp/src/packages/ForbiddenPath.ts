import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Effect } from "effect";

/** Resolves the links of a path, as far as it exists. */
const resolved = (path: string): Effect.Effect<string> =>
  Effect.catch(
    Effect.tryPromise(() => realpath(path)),
    () => {
      const parent = dirname(path);
      return parent === path
        ? Effect.succeed(path)
        : Effect.map(resolved(parent), (real) => join(real, relative(parent, path)));
    },
  );

const contains = (outer: string, inner: string): boolean => {
  const path = relative(outer, inner);
  return path === "" || !(/^\.\.(?:[/\\]|$)/.test(path) || isAbsolute(path));
};

/** The path that a text stands for in the working directory `cwd`; null if it is not a path. */
const pathOf = (text: string, cwd: string, home: string): string | null => {
  if (/^file:/i.test(text)) {
    try {
      return fileURLToPath(text);
    } catch {
      return null;
    }
  }
  // A URL or a connection string.
  if (/^[a-z][\w+.-]+:\/\//i.test(text)) return null;
  if (isAbsolute(text)) return resolve(text);
  if (/^~(?:[/\\]|$)/.test(text)) return join(home, text.slice(1));
  return /(?:^|[/\\])\.\.(?:[/\\]|$)/.test(text) ? resolve(cwd, text) : null;
};

/** The text, and the parts of it if it is a list of paths. */
const partsOf = (value: string, windows: boolean): ReadonlyArray<string> =>
  /^[a-z][\w+.-]+:\/\//i.test(value) && !/^file:/i.test(value)
    ? []
    : [value, ...value.split(windows ? /[,;\n]/ : /[,;:\n]/)].map((part) => part.trim());

/** Returns whether a value is a path in the data directory, or of a folder above it. */
export const make = (dataDir: string, platform: NodeJS.Platform) =>
  Effect.fn("PackageStore.isForbiddenPath")(function* (value: string) {
    const folded = (path: string) =>
      platform === "win32" || platform === "darwin" ? path.toLowerCase() : path;
    const data = folded(yield* resolved(dataDir));
    const cwd = join(dataDir, "servers", "server", "shared");
    for (const part of new Set(partsOf(value, platform === "win32"))) {
      const path = part.includes("\0") ? null : pathOf(part, cwd, homedir());
      if (path === null) continue;
      const real = folded(yield* resolved(path));
      if (contains(data, real) || contains(real, data)) return true;
    }
    return false;
  });
