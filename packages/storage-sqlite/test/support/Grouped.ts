import { Effect, Option } from "effect";
import { SqlClient } from "effect/sql";
import * as GroupCommit from "../../src/client/GroupCommit.ts";
import * as FakeConnection from "./FakeConnection.ts";

/** Group commit on a fake connection. */
export const make = Effect.sync(() => {
  const fake = FakeConnection.make();
  const service = SqlClient.TransactionConnection(-1);
  const { withTransaction: transact } = GroupCommit.make({
    ...fake,
    service,
    patience: { attempts: 1_000, pause: Effect.yieldNow },
  });
  const say = (sql: string) =>
    Effect.flatMap(Effect.serviceOption(service), (connection) =>
      Option.isNone(connection)
        ? Effect.die(`${sql} outside of a transaction`)
        : connection.value[0].execute(sql, [], undefined),
    );
  return { ...fake, transact, say };
});
