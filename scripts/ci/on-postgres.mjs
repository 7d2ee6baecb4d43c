// Runs a script whose servers store everything in PostgreSQL: `node on-postgres.mjs SCRIPT ARGUMENTS...`. Ends with 77 if
// npm has no PostgreSQL for this platform.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { PgClient } from "@effect/sql-pg";
import { Effect, Redacted } from "effect";
import { Cluster } from "../../packages/storage-postgres/test/support/Cluster.ts";

const { missing } = Cluster;
if (missing !== undefined) {
  console.log(missing);
  process.exit(77);
}
const cluster = await Cluster.start();
const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(2)], {
  stdio: "inherit",
  env: {
    ...process.env,
    QM_DATABASE_URL: cluster.url,
    QM_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
  },
});
for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => child.kill(name));
const [code] = await once(child, "exit");
const stored = await Effect.runPromise(
  PgClient.PgClient.use(
    (sql) =>
      sql`SELECT relname FROM pg_stat_user_tables WHERE relname = 'api_keys' AND n_tup_ins > 0`,
  ).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(cluster.url), maxConnections: 1 }))),
);
await cluster.remove();
if (stored.length === 0) {
  console.log("No server stored anything in PostgreSQL.");
  process.exit(1);
}
process.exit(code ?? 1);
