import { readFileSync } from "node:fs";
import * as NodeServices from "@effect/platform-node/NodeServices";
import { Mcp, NetworkOptions } from "@quartermaster/mcp";
import { Backup, Inspection, Restore, Storage } from "@quartermaster/storage-sqlite";
import { Effect, FileSystem, Layer } from "effect";
import { Command } from "effect/cli";
import * as BackupCommand from "./server/backup/BackupCommand.ts";
import * as RestoreCommand from "./server/backup/RestoreCommand.ts";
import * as BridgeCommand from "./server/BridgeCommand.ts";
import { DataDirectory } from "./server/DataDirectory.ts";
import * as DoctorCommand from "./server/doctor/DoctorCommand.ts";
import * as Help from "./server/Help.ts";
import * as NodeProcess from "./server/NodeProcess.ts";
import * as RotateKey from "./server/RotateKey.ts";
import * as Server from "./server/Server.ts";
import { ServerConfig } from "./server/ServerConfig.ts";
import { StartError } from "./server/StartError.ts";
import { Version } from "./server/Version.ts";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

const storageWith = (durability: ServerConfig["Service"]["durability"]) =>
  Layer.unwrap(
    Effect.map(DataDirectory, ({ path }) => Storage.layer({ dataDir: path, durability })),
  );

const storage = Layer.unwrap(Effect.map(ServerConfig, ({ durability }) => storageWith(durability)));

const mcp = Layer.unwrap(
  Effect.gen(function* () {
    const { prepareSeconds, privateHosts } = yield* ServerConfig;
    const { path } = yield* DataDirectory;
    const network = Layer.succeed(NetworkOptions.NetworkOptions, {
      ...NetworkOptions.NetworkOptions.defaultValue(),
      privateHosts: new Set(privateHosts),
    });
    return Mcp.layer({ dataDir: path, prepareSeconds }).pipe(Layer.provide(network));
  }),
);

const ports = Layer.merge(storage, mcp);

const server = Server.layer.pipe(
  Layer.provide(ports),
  Layer.provide(Server.foundation),
  Layer.provide(Layer.succeed(Version, version)),
);

const serve = Command.make("serve", {}, () => Layer.launch(server)).pipe(
  Command.withDescription(Help.serve),
  Command.withShortDescription("Run the server"),
);

/** Storage would create a mistyped data directory, and rotating its zero secrets would "succeed". */
const hasData = Effect.gen(function* () {
  const { dataDir } = yield* ServerConfig;
  const fs = yield* FileSystem.FileSystem;
  if (yield* Effect.orElseSucceed(fs.exists(Storage.databaseFile(dataDir)), () => true)) return;
  return yield* new StartError({
    message: `There is no database in ${dataDir}: name the server's data directory in QM_DATA_DIR.`,
  });
}).pipe(Effect.provide(ServerConfig.layer));

const rotateKey = Command.make("rotate-key", {}, () =>
  Effect.andThen(
    hasData,
    Effect.provide(RotateKey.run, Layer.provideMerge(storageWith("full"), Server.foundation)),
  ),
).pipe(
  Command.withDescription(Help.rotateKey),
  Command.withShortDescription("Encrypt all secrets under the newest key"),
);

Command.make("quartermaster").pipe(
  Command.withDescription(Help.quartermaster),
  Command.withSubcommands([
    serve,
    rotateKey,
    BackupCommand.make(Backup.run),
    RestoreCommand.make(Restore.run),
    DoctorCommand.make(Inspection.inspect),
    BridgeCommand.command,
  ]),
  Command.run({ version }),
  Effect.provideService(Version, version),
  Effect.provide(NodeServices.layer),
  NodeProcess.runMain,
);
