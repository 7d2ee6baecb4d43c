import { Effect } from "effect";
import { SqlClient, Statement } from "effect/sql";

/** The plans of PostgreSQL for the statements of an effect. */

/** A step of `EXPLAIN (FORMAT JSON)`. */
interface Step {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly Plans?: ReadonlyArray<Step>;
}

export interface Plan {
  readonly text: string;
  /** `force_generic_plan` is the plan for any parameters, which a server uses after some executions. */
  readonly mode: "force_custom_plan" | "force_generic_plan";
  /** The tables that it reads from start to end. */
  readonly scanned: ReadonlyArray<string>;
  /** The pages that it read, of tables and indexes. */
  readonly pages: number;
  readonly json: string;
}

const stepsOf = (step: Step): ReadonlyArray<Step> => [
  step,
  ...(step.Plans ?? []).flatMap((next) => stepsOf(next)),
];

const pagesOf = (step: Step): number => step["Shared Hit Blocks"] + step["Shared Read Blocks"];

const literal = (value: unknown): string =>
  typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);

/** The types that the driver gives to parameters. */
const typeOf = (value: unknown): string => {
  if (typeof value !== "number") return "text";
  return Math.abs(value) < 2 ** 31 ? "int" : "bigint";
};

const listOf = (values: ReadonlyArray<unknown>, toText: (value: unknown) => string): string =>
  values.length === 0 ? "" : `(${values.map(toText).join(", ")})`;

/** Runs `effect`, and returns the plans of its statements except `INSERT`. */
export const plansOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient;
  const ran = new Map<string, ReadonlyArray<unknown>>();
  yield* Effect.provideService(effect, Statement.CurrentTransformer, (statement) =>
    Effect.sync(() => {
      const [text, params] = statement.compile();
      ran.set(text.replace(/\s+/g, " ").trim(), params);
      return statement;
    }),
  );
  const connection = yield* sql.reserve;
  const run = (text: string) => connection.executeValues(text, []);
  const plans: Array<Plan> = [];
  for (const [text, params] of ran) {
    if (!/^(SELECT|WITH|UPDATE|DELETE)/.test(text)) continue;
    yield* run(`PREPARE planned ${listOf(params, typeOf)} AS ${text}`);
    for (const mode of ["force_custom_plan", "force_generic_plan"] as const) {
      yield* run(`SET plan_cache_mode = ${mode}`);
      // The first execution on a connection, and one after others change the schema of their tests, also reads
      // the catalog for the plans of functions: 182 pages, not 9. The fewest pages of four count.
      const explained = Effect.gen(function* () {
        yield* run("BEGIN");
        const [row] = yield* run(`EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF, FORMAT JSON)
          EXECUTE planned ${listOf(params, literal)}`);
        // Each execution writes the same rows.
        yield* run("ROLLBACK");
        const found = row?.[0];
        const [{ Plan: root }] = typeof found === "string" ? JSON.parse(found) : found;
        return root as Step;
      });
      const roots = yield* Effect.forEach([1, 2, 3, 4], () => explained);
      const [root] = roots.toSorted((a, b) => pagesOf(a) - pagesOf(b));
      if (root === undefined) continue;
      plans.push({
        text,
        mode,
        scanned: stepsOf(root)
          .filter((step) => step["Node Type"] === "Seq Scan")
          .map((step) => step["Relation Name"] ?? ""),
        pages: pagesOf(root),
        json: JSON.stringify(root, null, 1),
      });
    }
    yield* run("DEALLOCATE planned");
  }
  yield* run("RESET plan_cache_mode");
  return plans;
}, Effect.scoped);
