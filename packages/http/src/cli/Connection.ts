import { Config, Effect, FileSystem, Option, Redacted } from "effect";
import type { Access } from "./Api.ts";
import { CommandError, usage } from "./CommandError.ts";
import * as Login from "./Login.ts";

/** The options of every command that talks to a server. */
export interface Flags {
  readonly url: Option.Option<string>;
  readonly keyFile: Option.Option<string>;
}

const defaultUrl = "http://127.0.0.1:7420";

/** A URL without a slash at its end. It may have a path, for servers behind a prefix. */
export const readUrl = (text: string) => {
  const url = URL.parse(text.trim());
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.search === "";
  return isUsable && url.username === "" && url.password === "" && url.hash === ""
    ? Effect.succeed(url.href.replace(/\/+$/, ""))
    : Effect.fail(
        usage(`${JSON.stringify(text)} is not the URL of a server, such as ${defaultUrl}.`),
      );
};

/** Reads a key from a file. */
export const readKeyFile = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem;
  const text = yield* Effect.mapError(fs.readFileString(file), ({ reason }) =>
    usage(`--key-file must name a file with a key, but ${file} cannot be read (${reason._tag}).`),
  );
  if (text.trim() === "") return yield* usage(`The key file ${file} is empty.`);
  return Redacted.make(text.trim());
});

const fromEnvironment = Effect.gen(function* () {
  const url = yield* Config.String("QM_URL").pipe(Config.withDefault(""), Effect.orDie);
  const key = yield* Config.Redacted("QM_KEY").pipe(Config.option, Effect.orDie);
  return {
    url: url.trim() === "" ? null : url,
    key: Option.getOrNull(
      Option.filter(key, (key) => Redacted.value(key).trim() !== "").pipe(
        Option.map((key) => Redacted.make(Redacted.value(key).trim())),
      ),
    ),
  };
});

const notLoggedIn = (url: string) =>
  new CommandError({
    kind: "unauthenticated",
    message: `There is no key for ${url}. Run \`quartermaster login ${url}\`, or set QM_KEY or --key-file.`,
    problem: null,
    retryAfterSeconds: null,
  });

/**
 * Decides server and key: options, else QM_URL and QM_KEY, else the stored login. The stored key is
 * only sent to the server it was stored for.
 */
export const open = Effect.fnUntraced(function* (flags: Flags) {
  const environment = yield* fromEnvironment;
  const login = Option.getOrNull(yield* Login.read);
  const url = yield* readUrl(
    Option.getOrNull(flags.url) ?? environment.url ?? login?.url ?? defaultUrl,
  );
  const stored = login?.url === url ? login.key : null;
  const key = Option.isSome(flags.keyFile)
    ? yield* readKeyFile(flags.keyFile.value)
    : (environment.key ?? stored);
  if (key === null) return yield* notLoggedIn(url);
  return { url, key } satisfies Access;
});
