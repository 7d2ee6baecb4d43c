import { Context, Effect, Layer } from "effect";
import { SqlClient, type SqlError } from "effect/sql";
import * as Prepared from "../sql/Prepared.ts";

/** Draws the numbers of issues. The table `issue_numbers` has the last one of each project. */
export class IssueNumbers extends Context.Service<
  IssueNumbers,
  {
    /** Returns a number that no issue of the project has or had. */
    draw(projectId: string): Effect.Effect<number, SqlError.SqlError>;
  }
>()("@quartermaster/storage-sql/issues/IssueNumbers") {
  /** Draws in the current transaction, for an engine with one writer. */
  static readonly layer: Layer.Layer<IssueNumbers, never, SqlClient.SqlClient> = Layer.effect(
    IssueNumbers,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const next = Prepared.query<readonly [number: number]>(
        sql,
        `INSERT INTO issue_numbers (project_id, last) VALUES (?, 1)
          ON CONFLICT (project_id) DO UPDATE SET last = last + 1 RETURNING last`,
      );
      return IssueNumbers.of({
        draw: (projectId) => Effect.map(next(projectId), ([row]) => row?.[0] ?? 0),
      });
    }),
  );
}
