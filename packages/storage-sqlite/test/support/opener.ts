import { Clock, Effect, Layer } from "effect";
import { join } from "node:path";
import { SqliteClient } from "../../src/index.ts";

/** Opens new databases, each at the moment at which another process does: `opener.ts FOLDER START COUNT`. */
const [, , folder = "", start = "", count = ""] = process.argv;

await Effect.gen(function* () {
  for (let index = 0; index < Number(count); index++) {
    const moment = Number(start) + index * 40;
    while ((yield* Clock.currentTimeMillis) < moment);
    yield* Effect.scoped(
      Layer.build(SqliteClient.layer({ filename: join(folder, `${index}.db`) })),
    );
  }
}).pipe(Effect.runPromise);
