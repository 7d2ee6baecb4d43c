import * as NodeServices from "@effect/platform-node/NodeServices";
import { Storage } from "@quartermaster/storage-sqlite";
import { Effect, Layer } from "effect";
import { Command } from "effect/cli";
import { readFileSync } from "node:fs";
import { DataDirectory } from "./server/DataDirectory.ts";
import * as NodeProcess from "./server/NodeProcess.ts";
import * as Server from "./server/Server.ts";
import { ServerConfig } from "./server/ServerConfig.ts";
import * as Help from "./server/Help.ts";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

const storage = Layer.unwrap(
  Effect.gen(function* () {
    const { durability } = yield* ServerConfig;
    const { path } = yield* DataDirectory;
    return Storage.layer({ dataDir: path, durability });
  }),
);

const server = Server.layer.pipe(Layer.provide(storage), Layer.provide(Server.foundation));

const serve = Command.make("serve", {}, () => Layer.launch(server)).pipe(
  Command.withDescription(Help.serve),
  Command.withShortDescription("Run the server"),
);

Command.make("quartermaster").pipe(
  Command.withDescription(Help.quartermaster),
  Command.withSubcommands([serve]),
  Command.run({ version }),
  Effect.provide(NodeServices.layer),
  NodeProcess.runMain,
);
