import { Effect } from "effect";
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The path with its links followed, as far as it exists. */
const followed = (path: string): Effect.Effect<string> =>
  Effect.catch(
    Effect.tryPromise(() => realpath(path)),
    () => {
      const parent = dirname(path);
      return parent === path
        ? Effect.succeed(path)
        : Effect.map(followed(parent), (real) => join(real, relative(parent, path)));
    },
  );

const contains = (outer: string, inner: string): boolean => {
  const way = relative(outer, inner);
  return way === "" || !(/^\.\.(?:[/\\]|$)/.test(way) || isAbsolute(way));
};

/** The path that a text means to a server whose working directory is `cwd`; null if it means none. */
const pathOf = (text: string, cwd: string, home: string): string | null => {
  if (/^file:/i.test(text)) {
    try {
      return fileURLToPath(text);
    } catch {
      return null;
    }
  }
  // An address or a connection string.
  if (/^[a-z][\w+.-]+:\/\//i.test(text)) return null;
  if (isAbsolute(text)) return resolve(text);
  if (/^~(?:[/\\]|$)/.test(text)) return join(home, text.slice(1));
  return /(?:^|[/\\])\.\.(?:[/\\]|$)/.test(text) ? resolve(cwd, text) : null;
};

/** Lists of paths are common: each of their parts is looked at, and the text as a whole. */
const partsOf = (value: string, windows: boolean): ReadonlyArray<string> =>
  /^[a-z][\w+.-]+:\/\//i.test(value) && !/^file:/i.test(value)
    ? []
    : [value, ...value.split(windows ? /[,;\n]/ : /[,;:\n]/)].map((part) => part.trim());

/** Whether a value is a path in or above the data directory. */
export const make = (dataDir: string, platform: NodeJS.Platform) =>
  Effect.fn("PackageStore.isForbiddenPath")(function* (value: string) {
    const folded = (path: string) =>
      platform === "win32" || platform === "darwin" ? path.toLowerCase() : path;
    const data = folded(yield* followed(dataDir));
    const cwd = join(dataDir, "servers", "server", "shared");
    for (const part of new Set(partsOf(value, platform === "win32"))) {
      const path = part.includes("\0") ? null : pathOf(part, cwd, homedir());
      if (path === null) continue;
      const real = folded(yield* followed(path));
      if (contains(data, real) || contains(real, data)) return true;
    }
    return false;
  });
