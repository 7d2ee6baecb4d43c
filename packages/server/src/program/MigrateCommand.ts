import { CommandError } from "@quartermaster/cli";
import type { Move } from "@quartermaster/storage-postgres";
import { Console, Effect, Option } from "effect";
import * as DatabaseFailure from "../config/DatabaseFailure.ts";
import * as DatabaseSettings from "../config/DatabaseSettings.ts";
import * as Postgres from "../config/Postgres.ts";
import { StartError } from "../config/StartError.ts";
import { counted } from "../Counted.ts";
import * as Moving from "../data/Moving.ts";

interface Flags {
  readonly from: Option.Option<string>;
  readonly json: boolean;
}

const migrate = Effect.fnUntraced(function* (database: DatabaseSettings.Database, json: boolean) {
  const { Inspection } = yield* Postgres.load;
  const migrations = yield* Inspection.migrate(database);
  if (json) return yield* Console.log(JSON.stringify({ schema: database.schema, migrations }));
  const where = DatabaseSettings.nameOf(database);
  yield* Console.log(
    migrations.length === 0
      ? `Nothing to do: ${where} has every migration of this version.`
      : `Ran ${counted(migrations.length, "migration")} (${migrations.join(", ")}) in ${where}.`,
  );
});

const lineOf = ({ count, digest, table }: Move.Moved) => `${table}\t${count}\t${digest}`;

const move = Effect.fnUntraced(function* (
  database: DatabaseSettings.Database,
  from: string,
  json: boolean,
) {
  const [, dataDir] = /^sqlite:(.+)$/.exec(from) ?? [];
  if (dataDir === undefined) {
    return yield* CommandError.usage(`--from must be sqlite:DIR, not ${JSON.stringify(from)}.`);
  }
  const { folders, tables } = yield* Moving.run(database, dataDir, {
    onTable: (moved) => (json ? Effect.void : Console.log(lineOf(moved))),
  });
  if (json) yield* Console.log(JSON.stringify(tables));
  if (folders.length > 0) {
    yield* Console.error(
      `The folders of these MCP servers stay in ${dataDir}, and are not moved: ${folders.join(", ")}.`,
    );
  }
  yield* Console.error(
    `Everything in ${dataDir} is in ${DatabaseSettings.nameOf(database)}. Start servers with QM_DATABASE_URL.`,
  );
});

/** `quartermaster migrate`. */
export const run = Effect.fnUntraced(function* ({ from, json }: Flags) {
  const database = yield* DatabaseSettings.read;
  if (database === null) {
    return yield* new StartError({
      message:
        "QM_DATABASE_URL must be set: migrate creates the tables in PostgreSQL. A server on SQLite migrates its file when it starts.",
    });
  }
  return yield* DatabaseFailure.advised(
    database,
    Option.match(from, {
      onNone: () => migrate(database, json),
      onSome: (from) => move(database, from, json),
    }),
  );
});
