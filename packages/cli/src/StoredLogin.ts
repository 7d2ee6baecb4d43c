import { Effect, Option, Redacted } from "effect";
import { usage } from "./CommandError.ts";
import * as UserFile from "./UserFile.ts";

/**
 * The login that `quartermaster login` stores: one server and one key, in the user's configuration
 * directory.
 */
export interface Login {
  readonly url: string;
  readonly key: Redacted.Redacted;
}

const file = { name: "login.json", what: "login" };

/** Reads the stored login, if there is one. */
export const read = Effect.gen(function* () {
  const stored = yield* UserFile.read(file);
  if (Option.isNone(stored)) return Option.none<Login>();
  const { path, text } = stored.value;
  const damaged = () => usage(`${path} is damaged. Run \`quartermaster login URL\` again.`);
  const value: unknown = yield* Effect.try({
    try: () => JSON.parse(text),
    catch: damaged,
  });
  if (typeof value !== "object" || value === null) return yield* damaged();
  if (!("url" in value) || !("key" in value)) return yield* damaged();
  const { key, url } = value;
  if (typeof url !== "string" || typeof key !== "string") return yield* damaged();
  return Option.some<Login>({ url, key: Redacted.make(key) });
});

/** Stores the login. Returns the path of the file. */
export const write = ({ key, url }: Login) =>
  UserFile.write(file, `${JSON.stringify({ url, key: Redacted.value(key) }, null, 2)}\n`);

/** Removes the stored login. Returns whether there was one. */
export const remove = UserFile.remove(file);
