import { Config, Effect, Option, Redacted } from "effect";
import type { Access } from "./Api.ts";
import { CommandError, usage } from "./CommandError.ts";
import { variable } from "./Environment.ts";
import * as Input from "./Input.ts";
import * as StoredLogin from "./StoredLogin.ts";

/** The options of every command that calls a server. */
export interface Flags {
  readonly url: Option.Option<string>;
  readonly keyFile: Option.Option<string>;
}

/** The options of a command that calls a server and prints a result. */
export interface ResultFlags extends Flags {
  readonly json: boolean;
}

/** The URL of a server with default settings. */
export const defaultUrl = "http://127.0.0.1:7420";

/**
 * Parses a server URL and removes its trailing slash. It may have a path, for servers behind a
 * prefix.
 */
export const readUrl = (text: string) => {
  const url = URL.parse(text.trim());
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.search === "";
  return isUsable && url.username === "" && url.password === "" && url.hash === ""
    ? Effect.succeed(url.href.replace(/\/+$/, ""))
    : Effect.fail(
        // The message omits the text: a URL with a user name usually contains a password.
        usage(
          `The URL of the server must look like ${defaultUrl}, without a user name, query or fragment.`,
        ),
      );
};

/** Reads a key from a file. */
export const readKeyFile = Effect.fnUntraced(function* (file: string) {
  const text = yield* Input.file("--key-file", file);
  if (text.trim() === "") return yield* usage("The file of --key-file is empty.");
  return Redacted.make(text.trim());
});

/** QM_URL and QM_KEY; null for a variable that is unset or empty. */
export const fromEnvironment = Effect.gen(function* () {
  const url = yield* variable("QM_URL");
  const key = yield* Config.Redacted("QM_KEY").pipe(Config.option, Effect.orDie);
  const text = Option.isNone(key) ? "" : Redacted.value(key.value).trim();
  return { url, key: text === "" ? null : Redacted.make(text) };
});

const notLoggedIn = (url: string) =>
  new CommandError({
    kind: "unauthenticated",
    message: `There is no key for ${url}. Run \`quartermaster login ${url}\`, or set QM_KEY or --key-file.`,
    problem: null,
    retryAfterSeconds: null,
  });

/** The URL of the server without its key. */
export const urlOf = Effect.fnUntraced(function* (flags: Flags) {
  const given = Option.getOrNull(flags.url) ?? (yield* fromEnvironment).url;
  const login = given === null ? Option.getOrNull(yield* StoredLogin.read) : null;
  return yield* readUrl(given ?? login?.url ?? defaultUrl);
});

/**
 * Returns the server and the key: from options, then QM_URL and QM_KEY, then the stored login. The
 * stored key is only sent to the server that it was stored for.
 */
export const open = Effect.fnUntraced(function* (flags: Flags) {
  const environment = yield* fromEnvironment;
  const given = {
    url: Option.getOrNull(flags.url) ?? environment.url,
    key: Option.isSome(flags.keyFile) ? yield* readKeyFile(flags.keyFile.value) : environment.key,
  };
  // A damaged login must not fail a command that does not need it.
  const isComplete = given.url !== null && given.key !== null;
  const login = isComplete ? null : Option.getOrNull(yield* StoredLogin.read);
  const url = yield* readUrl(given.url ?? login?.url ?? defaultUrl);
  const key = given.key ?? (login?.url === url ? login.key : null);
  if (key === null) return yield* notLoggedIn(url);
  return { url, key, runId: yield* variable("QM_RUN_ID") } satisfies Access;
});
