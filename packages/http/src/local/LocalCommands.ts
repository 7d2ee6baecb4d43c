import { Effect } from "effect";
import { Argument, Command, Flag } from "effect/cli";
import * as BackupHelp from "../server/backup/BackupHelp.ts";
import * as DoctorHelp from "../server/doctor/DoctorHelp.ts";
import * as Help from "../server/Help.ts";

/**
 * The commands over the server's own data directory, and the bridge. The code of each is loaded when
 * it runs: see `cli/Options.ts`.
 */
const serve = (version: string) =>
  Command.make("serve", {}, () =>
    Effect.flatMap(
      Effect.promise(() => import("./Serve.ts")),
      ({ run }) => run(version),
    ),
  ).pipe(Command.withDescription(Help.serve), Command.withShortDescription("Run the server"));

const rotateKey = Command.make("rotate-key", {}, () =>
  Effect.flatMap(
    Effect.promise(() => import("./RotateKeyCommand.ts")),
    ({ run }) => run,
  ),
).pipe(
  Command.withDescription(Help.rotateKey),
  Command.withShortDescription("Encrypt all secrets under the newest key"),
);

const url = Flag.String("url").pipe(
  Flag.withDescription("Where Quartermaster is; else QM_URL, else http://127.0.0.1:7420"),
  Flag.optional,
);

const keyFile = Flag.String("key-file").pipe(
  Flag.withDescription("A file with the agent's key; else QM_KEY is the key"),
  Flag.optional,
);

const mcp = Command.make("mcp", { url, keyFile }, (flags) =>
  Effect.flatMap(
    Effect.promise(() => import("../server/BridgeCommand.ts")),
    ({ run }) => run(flags),
  ),
).pipe(
  Command.withDescription(Help.mcp),
  Command.withShortDescription("Speak MCP over stdio for an agent"),
);

const json = Flag.Boolean("json").pipe(
  Flag.withDefault(false),
  Flag.withDescription("Print one JSON document"),
);

const backups = Effect.promise(() => import("./Backups.ts"));

const backup = Command.make(
  "backup",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("The file to write. An earlier backup is replaced"),
    ),
    keys: Flag.Boolean("keys").pipe(
      Flag.withDefault(false),
      Flag.withDescription(
        "Also store the master key, so that no other file is needed to restore secrets",
      ),
    ),
    json,
  },
  (flags) => Effect.flatMap(backups, ({ backup }) => backup(flags)),
).pipe(
  Command.withDescription(BackupHelp.backup),
  Command.withShortDescription("Write a backup while servers run"),
);

const restore = Command.make(
  "restore",
  {
    file: Argument.String("file").pipe(Argument.withDescription("A file that backup wrote")),
    json,
  },
  (flags) => Effect.flatMap(backups, ({ restore }) => restore(flags)),
).pipe(
  Command.withDescription(BackupHelp.restore),
  Command.withShortDescription("Restore a backup into an empty data directory"),
);

const doctor = Command.make("doctor", { json }, (flags) =>
  Effect.flatMap(backups, ({ doctor }) => doctor(flags)),
).pipe(
  Command.withDescription(DoctorHelp.doctor),
  Command.withShortDescription("Check what could be wrong, and how to fix it"),
);

export const commands = (version: string) =>
  [serve(version), rotateKey, backup, restore, doctor, mcp] as const;
