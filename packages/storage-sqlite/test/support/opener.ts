import { Effect } from "effect";
import { Reactivity } from "effect/reactivity";
import { join } from "node:path";
import * as SqliteClient from "../../src/SqliteClient.ts";

/** Opens new databases, each at the moment at which another process does: `opener.ts FOLDER START COUNT`. */
const [, , folder = "", start = "", count = ""] = process.argv;

for (let index = 0; index < Number(count); index++) {
  while (Date.now() < Number(start) + index * 40);
  const filename = join(folder, `${index}.db`);
  await Effect.runPromise(
    Effect.scoped(SqliteClient.make({ filename })).pipe(Effect.provide(Reactivity.layer)),
  );
}
