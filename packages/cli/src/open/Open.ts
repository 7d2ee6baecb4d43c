import { Console, Effect, Option, Stdio } from "effect";
import * as AdminAccess from "../AdminAccess.ts";
import * as Api from "../Api.ts";
import type * as Connection from "../Connection.ts";
import * as Output from "../Output.ts";
import * as Browser from "../process/Browser.ts";
import * as UserFile from "../UserFile.ts";

const page = { name: "open.html", what: "page" };

/**
 * The target for the browser. Arguments of programs are visible to other users of the machine, so a
 * sign-in link is in a file that only this user can read, which leads to it.
 */
const targetOf = (url: string) =>
  url.includes("#")
    ? UserFile.write(page, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">\n`)
    : Effect.succeed(url);

/** Prints the address of a page, and opens it if a person reads stdout. */
export const show = Effect.fnUntraced(function* (json: boolean, url: string) {
  yield* Output.one(json, { url }, [Output.cell(url)]);
  const stdio = yield* Stdio.Stdio;
  if (json || !(yield* stdio.stdoutIsTerminal)) return;
  if (yield* Browser.open(yield* targetOf(url))) return;
  yield* Console.error("No browser started. Open the address in one.");
});

/** `quartermaster open [KEY]`. */
export const open = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & { readonly issue: Option.Option<string> },
) {
  const { access, isAdmin } = yield* AdminAccess.find(flags);
  const issueId = Option.getOrNull(flags.issue);
  const path =
    issueId === null
      ? "/"
      : yield* Effect.map(
          Api.call(access, (client, options) => client.issues.get({ issueId }, options)),
          ({ key }) => `/issues/${key}`,
        );
  if (!isAdmin) {
    yield* Console.error("Sign in with a key: only the key of an Admin creates sign-in links.");
    return yield* show(flags.json, `${access.url}${path}`);
  }
  const { signInToken } = yield* Api.call(access, (client, options) =>
    client.session.link({}, options),
  );
  yield* show(flags.json, `${access.url}${path}#sign-in=${signInToken}`);
});
