import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Effect } from "effect";

/** Resolves symbolic links in the part of a path that exists. */
export const resolved = (path: string): Effect.Effect<string> =>
  Effect.catch(
    Effect.tryPromise(() => realpath(path)),
    () => {
      const parent = dirname(path);
      return parent === path
        ? Effect.succeed(path)
        : Effect.map(resolved(parent), (real) => join(real, relative(parent, path)));
    },
  );

export const contains = (outer: string, inner: string): boolean => {
  const path = relative(outer, inner);
  return path === "" || !(/^\.\.(?:[/\\]|$)/.test(path) || isAbsolute(path));
};

/** Resolves a value as a path in the working directory `cwd`; null if it is not a path. */
const pathOf = (text: string, cwd: string, home: string): string | null => {
  if (/^file:/i.test(text)) {
    try {
      return fileURLToPath(text);
    } catch {
      return null;
    }
  }
  // The value is a URL or a connection string.
  if (/^[a-z][\w+.-]+:\/\//i.test(text)) return null;
  if (isAbsolute(text)) return resolve(text);
  if (/^~(?:[/\\]|$)/.test(text)) return join(home, text.slice(1));
  return /(?:^|[/\\])\.\.(?:[/\\]|$)/.test(text) ? resolve(cwd, text) : null;
};

const isWebUrl = (text: string) => /^https?:\/\//i.test(text);

/** Removes percent-encoding, including nested encoding. */
const decoded = (text: string): string => {
  try {
    const next = decodeURIComponent(text);
    return next === text ? text : decoded(next);
  } catch {
    return text;
  }
};

/**
 * The candidate values in a text: the whole text, each part of a path list, the value of an option
 * (`--x=PATH`, `x=PATH`), the path of a URL without a host (`sqlite:///PATH`).
 */
const partsOf = (value: string, windows: boolean): ReadonlyArray<string> => {
  const separator = windows ? /[,;\n]/ : /[,;:\n]/;
  const list = /^[a-z][\w+.-]+:\/\//i.test(value) ? [] : value.split(separator);
  const [, path = ""] = /^[a-z][\w+.-]+:(?:\/\/)?([/\\].*)$/i.exec(value) ?? [];
  return [value, path, ...list].flatMap((text) => {
    const [, option = ""] = /^-*[\w.-]+=(.*)$/s.exec(text.trim()) ?? [];
    return [text.trim(), option.trim()].filter((part) => part !== "");
  });
};

/** The maximum number of paths checked per value, and of folders checked per path. */
const most = 64;

/** Whether a text is only a path, so that its parts need no separate check. */
const isPlain = (text: string) => /^\/[^\s?#,;:&|"'<>=]*$/.test(text);

const withSingleSlashes = (text: string) => text.replaceAll(/[/\\]{2,}/g, "/");

/** All paths that a text contains after any prefix: the text from each of its slashes on. */
const pathsIn = (text: string): ReadonlyArray<string> =>
  [...withSingleSlashes(text).matchAll(/[/\\][^\s?#,;:&|"'<>]*/g)].flatMap(({ 0: path }) => {
    const parts = path.split(/(?=[/\\])/).slice(0, most);
    return isPlain(text) ? [parts.join("")] : parts.map((_, from) => parts.slice(from).join(""));
  });

/** Kernel file systems. They contain processes with their environments, and devices. */
const kernelFolders = ["/proc", "/sys", "/dev"];

/**
 * Returns a predicate: whether a value contains a path in the data directory in any form, or is a
 * folder above it, or a kernel file system.
 */
export const make = (dataDir: string, platform: NodeJS.Platform) =>
  Effect.fn("PackageStore.isForbiddenPath")(function* (value: string) {
    const folds = platform === "win32" || platform === "darwin";
    const folded = (path: string) => (folds ? path.toLowerCase() : path);
    const data = folded(yield* resolved(dataDir));
    const cwd = join(dataDir, "servers", "server", "shared");
    /**
     * Whether a text contains the path of the data directory, and not as the prefix of another
     * name.
     */
    const mentions = (text: string) =>
      !isPlain(text) &&
      [data, folded(dataDir)].some((path) =>
        folded(withSingleSlashes(text))
          .split(path)
          .slice(1)
          .some((rest) => !/^[\w.-]/.test(rest)),
      );
    const texts = new Set([value, decoded(value)].filter((text) => !text.includes("\0")));
    for (const text of texts) {
      if (mentions(text)) return true;
      for (const path of pathsIn(text).slice(0, most)) {
        const real = folded(yield* resolved(resolve(path)));
        if (contains(data, real)) return true;
      }
      if (isWebUrl(text)) continue;
      for (const part of new Set(partsOf(text, platform === "win32"))) {
        const path = pathOf(part, cwd, homedir());
        if (path === null) continue;
        const real = folded(yield* resolved(path));
        if (contains(data, real) || contains(real, data)) return true;
        const inKernel = (folder: string) => contains(folder, real) || contains(folder, path);
        if (platform !== "win32" && kernelFolders.some(inKernel)) return true;
      }
    }
    return false;
  });
