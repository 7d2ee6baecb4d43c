import type { PgConnection } from "@effect/sql-pg";
import type { Errors } from "@quartermaster/core";
import { Context, Effect, type Fiber, Layer } from "effect";
import * as Connections from "../../src/client/Connections.ts";
import { Inspection, PostgresClient, Storage } from "../../src/index.ts";
import { emptySchema, options } from "./TestStorage.ts";

/**
 * Storage whose transactions lose a race once, as a transaction on a busy database does: PostgreSQL fails
 * one of their statements with 40001. Each transaction loses at its first statement at which none has
 * lost after the same statements. So each change loses at each of its statements, if it is made as
 * often. A transaction that runs again does not lose.
 */

/** The texts of the statements of a transaction up to the lost one. */
const lostAfter = new Set<string>();

/** The number of transactions that have lost. */
export const count = (): number => lostAfter.size;

/** Fibers whose transaction has lost and runs again. */
const again = new WeakSet<Fiber.Fiber<unknown, unknown>>();

const lose = "DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '40001'; END $$";

const losing = (
  connection: PgConnection.PgConnection,
  fiber: Fiber.Fiber<unknown, unknown> | undefined,
): PgConnection.PgConnection => {
  let path = "";
  const isLost = (text: string): boolean => {
    path += `${text}\n`;
    if (fiber === undefined || again.has(fiber) || lostAfter.has(path)) return false;
    lostAfter.add(path);
    again.add(fiber);
    return true;
  };
  return new Proxy(connection, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function" || !String(name).startsWith("query")) return member;
      return (text: string, ...rest: ReadonlyArray<unknown>) => {
        const run: Effect.Effect<unknown, unknown> = member.call(target, text, ...rest);
        if (/^(?:BEGIN|ROLLBACK)/u.test(text)) return run;
        return Effect.suspend(() => {
          if (!isLost(text)) return run;
          const lost = target.query(lose, [], false);
          // COMMIT ends the transaction in any case.
          return text === "COMMIT" ? Effect.andThen(Effect.ignore(lost), run) : lost;
        });
      };
    },
  });
};

export const layer: Layer.Layer<Storage.Ports, Errors.StorageError> = Layer.unwrap(
  Effect.gen(function* () {
    const schema = yield* emptySchema;
    yield* Inspection.migrate(options(schema));
    // These tests have other subjects than a database that is silent for 6 seconds.
    const patient = PostgresClient.layer({ ...options(schema), hasSlowStatements: true });
    const client = Layer.effectContext(
      Effect.map(Layer.build(patient), (context) => {
        const { listen, transaction } = Context.get(context, Connections.Connections);
        const lost = Effect.withFiber((fiber) => {
          const isAgain = again.delete(fiber);
          return Effect.map(transaction, ({ connection }) => {
            const loser = losing(connection, isAgain ? undefined : fiber);
            return new Connections.Transaction(loser);
          });
        });
        return Context.add(context, Connections.Connections, { listen, transaction: lost });
      }),
    );
    return Layer.provide(Storage.layerStores({ schema }), client);
  }),
);
