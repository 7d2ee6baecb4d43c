import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as NodeServices from "@effect/platform-node/NodeServices";
import { Effect, Layer } from "effect";
import { ProcessIdentity } from "./ProcessIdentity.ts";
import { decode, hasLeader, membersOf } from "./ProcessRecords.ts";

/** The process ids of groups that are alive although the service that started them is not. */
const find = Effect.fnUntraced(function* (dataDir: string) {
  const identity = yield* ProcessIdentity;
  const folder = join(dataDir, "processes");
  const names = yield* Effect.orElseSucceed(
    Effect.tryPromise(() => readdir(folder)),
    () => [],
  );
  const groups: Array<number> = [];
  for (const name of names) {
    const record = yield* Effect.tryPromise(() => readFile(join(folder, name), "utf8")).pipe(
      Effect.flatMap((text) => decode(text)),
      // A service may have removed it in the meantime.
      Effect.orElseSucceed(() => undefined),
    );
    // Only its own system can judge a record.
    if (record === undefined || record.system !== identity.system) continue;
    if (yield* identity.isAlive(record.owner)) continue;
    const [member] = yield* membersOf(identity, record);
    const isAlive = member !== undefined || (yield* hasLeader(identity, record));
    const group = record.leader?.pid ?? member?.group;
    if (isAlive && group !== undefined) groups.push(group);
  }
  return groups;
});

/** Finds the process groups of MCP servers whose service crashed. It changes nothing. */
export const list = (dataDir: string): Effect.Effect<ReadonlyArray<number>> =>
  Effect.provide(find(dataDir), ProcessIdentity.layer.pipe(Layer.provide(NodeServices.layer)));
