import { once } from "node:events";
import { join } from "node:path";
import { Clock, Effect, Layer } from "effect";
import { SqliteClient } from "../../src/index.ts";

/**
 * Opens new databases, each at the same time as another process: `opener FOLDER COUNT`. It prints
 * "ready", and then reads the first of these times from stdin.
 */
const [, , folder = "", count = ""] = process.argv;

process.stdout.write("ready\n");
const [start] = (await once(process.stdin, "data")) as [Buffer];
process.stdin.destroy();

await Effect.gen(function* () {
  for (let index = 0; index < Number(count); index++) {
    const time = Number(start) + index * 40;
    while ((yield* Clock.currentTimeMillis) < time);
    yield* Effect.scoped(
      Layer.build(SqliteClient.layer({ filename: join(folder, `${index}.db`) })),
    );
  }
}).pipe(Effect.runPromise);
