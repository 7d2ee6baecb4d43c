import { Effect, FileSystem, Path, Redacted } from "effect";
import * as Api from "./Api.ts";
import * as Connection from "./Connection.ts";
import { variable } from "./Environment.ts";

export interface Found {
  readonly access: Api.Access;
  /** Whether the key is a person's, with the role Admin or above. */
  readonly isAdmin: boolean;
}

const isLoopback = (url: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);

/**
 * The access with the Owner key in the data directory; null if there is none. The key is only sent to
 * this machine.
 */
const byOwnerKey = Effect.fnUntraced(function* (url: string) {
  if (!isLoopback(url)) return null;
  const fs = yield* FileSystem.FileSystem;
  const path = yield* Path.Path;
  const file = path.join((yield* variable("QM_DATA_DIR")) ?? ".quartermaster", "owner-key");
  const key = (yield* Effect.orElseSucceed(fs.readFileString(file), () => "")).trim();
  if (key === "") return null;
  const access: Api.Access = { url, key: Redacted.make(key), runId: null };
  return { access, isAdmin: true } satisfies Found;
});

const roleOf = Effect.fnUntraced(function* (access: Api.Access) {
  const { principal } = yield* Api.call(access, (client, options) =>
    client.session.get({}, options),
  );
  const isAdmin =
    principal.agentId === null && (principal.role === "Admin" || principal.role === "Owner");
  return { access: { ...access, runId: null }, isAdmin } satisfies Found;
});

/**
 * The access of a command for administrators: with the key of the command, or else with the Owner key,
 * which takes the place of a missing key, of a rejected one, and of one with a lower role than Admin.
 */
export const find = Effect.fnUntraced(function* (flags: Connection.Flags) {
  const owner = yield* byOwnerKey(yield* Connection.urlOf(flags));
  const own = Effect.flatMap(Connection.open(flags), roleOf);
  if (owner === null) return yield* own;
  return yield* own.pipe(
    Effect.map((found) => (found.isAdmin ? found : owner)),
    Effect.catchIf(
      ({ kind }) => kind === "unauthenticated",
      () => Effect.succeed<Found>(owner),
    ),
  );
});
