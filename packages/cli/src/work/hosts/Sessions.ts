import { createHash } from "node:crypto";
import { Effect, FileSystem, Path, Schema } from "effect";
import { variable } from "../../Environment.ts";
import * as NodeProcess from "../../process/NodeProcess.ts";

/**
 * The sessions of hosts, so that the next attempt at an issue continues the session of the previous one. They stay on
 * this machine, in `XDG_STATE_HOME`, `LOCALAPPDATA` or `.local/state` of the home directory. A failure to read or write
 * them costs a session and no work.
 */

const State = Schema.Struct({ session: Schema.String, pid: Schema.Finite });

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(State));

const location = Effect.gen(function* () {
  const { join } = yield* Path.Path;
  const home = (yield* variable("HOME")) ?? (yield* variable("USERPROFILE"));
  const folder =
    (yield* variable("XDG_STATE_HOME")) ??
    (yield* variable("LOCALAPPDATA")) ??
    (home === null ? null : join(home, ".local", "state"));
  return folder === null ? null : join(folder, "quartermaster", "sessions");
});

/** The stored session of an agent, an issue, a host and a directory. */
export const make = Effect.fnUntraced(function* (
  of: readonly [agentId: string, issueId: string, host: string, folder: string],
) {
  const fs = yield* FileSystem.FileSystem;
  const { join } = yield* Path.Path;
  const folder = yield* location;
  const name = createHash("sha256").update(JSON.stringify(of)).digest("hex");
  const file = folder === null ? null : join(folder, `${name}.json`);
  return {
    /** The session to continue; null if there is none, or if a process of it may still be alive. */
    read: Effect.gen(function* () {
      if (file === null) return null;
      const { pid, session } = yield* decode(yield* fs.readFileString(file));
      return NodeProcess.signalGroup(pid, 0) ? null : session;
    }).pipe(Effect.orElseSucceed(() => null)),
    write: (session: string, pid: number) =>
      Effect.gen(function* () {
        if (folder === null || file === null) return;
        yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 });
        yield* fs.writeFileString(file, JSON.stringify({ session, pid }), { mode: 0o600 });
      }).pipe(Effect.ignore),
  };
});
