import { Effect, Option } from "effect";
import { SqlClient } from "effect/sql";
import * as GroupCommit from "../../src/client/GroupCommit.ts";
import { Relaxed } from "../../src/client/Relaxed.ts";
import * as FakeConnection from "./FakeConnection.ts";

/** Group commit on a fake connection. */
export const make = Effect.sync(() => {
  const fake = FakeConnection.make();
  const service = SqlClient.TransactionConnection(-1);
  const { afterCommit, withTransaction: transact } = GroupCommit.make({
    ...fake,
    setRelaxed: (isRelaxed) => {
      if (isRelaxed) fake.said.push("relaxed");
    },
    service,
    patience: { attempts: 1_000, pause: Effect.yieldNow },
  });
  const say = (sql: string) =>
    Effect.flatMap(Effect.serviceOption(service), (connection) =>
      Option.isNone(connection)
        ? Effect.die(`${sql} outside of a transaction`)
        : connection.value[0].execute(sql, [], undefined),
    );
  const transactRelaxed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(transact(effect), Relaxed, true);
  return { ...fake, afterCommit, transact, transactRelaxed, say };
});
