import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as NodeServices from "@effect/platform-node/NodeServices";
import { Effect, Layer } from "effect";
import { ProcessIdentity } from "./ProcessIdentity.ts";
import { decode, hasLeader, membersOf } from "./ProcessRecords.ts";

/** The ids of live process groups whose service is no longer running. */
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
      // Another service may have removed the file in the meantime.
      Effect.orElseSucceed(() => undefined),
    );
    // A record is only meaningful on the system that wrote it.
    if (record === undefined || record.system !== identity.system) continue;
    if (yield* identity.isAlive(record.owner)) continue;
    const [member] = yield* membersOf(identity, record);
    const isAlive = member !== undefined || (yield* hasLeader(identity, record));
    const group = record.leader?.pid ?? member?.group;
    if (isAlive && group !== undefined) groups.push(group);
  }
  return groups;
});

/** Lists process groups of MCP servers whose service crashed. Read-only. */
export const list = (dataDir: string): Effect.Effect<ReadonlyArray<number>> =>
  Effect.provide(find(dataDir), ProcessIdentity.layer.pipe(Layer.provide(NodeServices.layer)));
