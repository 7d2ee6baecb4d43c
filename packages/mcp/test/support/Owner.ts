// A service that starts a fixture and then waits: `Owner.ts <data directory> <behaviour> <argument>`.
import { Effect, Layer } from "effect";
import { Connector, Processes, Spawner } from "../../src/index.ts";
import * as Fixture from "./Fixture.ts";

const [dataDir = "", behaviour = "", argument = ""] = process.argv.slice(2);

const program = Effect.gen(function* () {
  yield* Fixture.connect(dataDir, behaviour, argument);
  process.stdout.write("ready\n");
  return yield* Effect.never;
}).pipe(
  Effect.scoped,
  Effect.provide(
    Connector.layer.pipe(
      Layer.provide(Spawner.layer({ dataDir })),
      Layer.provide(Processes.Processes.layer({ dataDir })),
    ),
  ),
);

await Effect.runPromise(program);
