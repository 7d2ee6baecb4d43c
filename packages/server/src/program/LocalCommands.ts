import { Options } from "@quartermaster/cli";
import { Effect } from "effect";
import { Argument, Command, Flag } from "effect/cli";
import * as BackupHelp from "../backup/BackupHelp.ts";
import * as Help from "../config/Help.ts";
import * as DoctorHelp from "../doctor/DoctorHelp.ts";

/**
 * The commands on the server's own data directory, and the bridge. Each loads its code when it
 * runs: see `cli/Options.ts`.
 */
const serve = (version: string) =>
  Command.make("serve", {}, () =>
    Effect.flatMap(
      Effect.promise(() => import("./Serve.ts")),
      ({ run }) => run(version),
    ),
  ).pipe(
    Command.withDescription(Help.serve),
    Command.withShortDescription("Run the server"),
    Options.example("serve", "Run the server on the data directory .quartermaster"),
  );

const rotateKey = Command.make("rotate-key", {}, () =>
  Effect.flatMap(
    Effect.promise(() => import("./RotateKeyCommand.ts")),
    ({ run }) => run,
  ),
).pipe(
  Command.withDescription(Help.rotateKey),
  Command.withShortDescription("Encrypt all secrets under the newest key"),
  Options.example("rotate-key", "Create a new key, and encrypt all secrets under it"),
);

const migrate = Command.make(
  "migrate",
  {
    from: Options.text("from", "Also move the service of a data directory: sqlite:DIR"),
    json: Options.json,
  },
  (flags) =>
    Effect.flatMap(
      Effect.promise(() => import("./MigrateCommand.ts")),
      ({ run }) => run(flags),
    ),
).pipe(
  Command.withDescription(Help.migrate),
  Command.withShortDescription(
    "Create or update the tables in PostgreSQL, or move a service to it",
  ),
  Options.example("migrate", "Create or update the tables of QM_DATABASE_URL"),
  Options.example("migrate --from sqlite:.quartermaster", "Move the service of a data directory"),
);

const mcp = Command.make("mcp", { url: Options.url, keyFile: Options.keyFile }, (flags) =>
  Effect.flatMap(
    Effect.promise(() => import("./BridgeCommand.ts")),
    ({ run }) => run(flags),
  ),
).pipe(
  Command.withDescription(Help.mcp),
  Command.withShortDescription("Speak MCP over stdio for an agent"),
  Options.example("mcp --key-file agent.key", "Speak MCP with the key in a file"),
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
    withoutLogs: Flag.Boolean("without-logs").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Omit the logs of runs"),
    ),
    json: Options.json,
  },
  (flags) => Effect.flatMap(backups, ({ backup }) => backup(flags)),
).pipe(
  Command.withDescription(BackupHelp.backup),
  Command.withShortDescription("Back up everything while servers run"),
  Options.example("backup quartermaster.backup", "Back up the data directory"),
);

const restore = Command.make(
  "restore",
  {
    file: Argument.String("file").pipe(Argument.withDescription("A file that backup wrote")),
    json: Options.json,
  },
  (flags) => Effect.flatMap(backups, ({ restore }) => restore(flags)),
).pipe(
  Command.withDescription(BackupHelp.restore),
  Command.withShortDescription("Restore a backup into an empty data directory or database"),
  Options.example("restore quartermaster.backup", "Restore into the data directory"),
);

const doctor = Command.make("doctor", { json: Options.json }, (flags) =>
  Effect.flatMap(backups, ({ doctor }) => doctor(flags)),
).pipe(
  Command.withDescription(DoctorHelp.doctor),
  Command.withShortDescription("Find problems, and print how to fix them"),
  Options.example("doctor", "Check the data directory and this machine"),
);

export const commands = (version: string) =>
  [serve(version), rotateKey, migrate, backup, restore, doctor, mcp] as const;
