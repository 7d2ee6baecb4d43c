import { Effect, Option } from "effect";
import type { SqlClient } from "effect/sql";
import * as Batch from "../sql/Batch.ts";
import { clause, list, raw } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";

/**
 * The shortest chain of Blocks links between two issues. The search runs from both ends and expands
 * the smaller frontier. A new issue has no links on one side, so the search costs one step, however
 * large the graph is on the other side.
 */

interface Side {
  readonly forward: boolean;
  /** Maps each reached issue to the issue before it. */
  readonly reached: Map<string, string | undefined>;
  frontier: ReadonlyArray<string>;
}

const side = (forward: boolean, from: string): Side => ({
  forward,
  reached: new Map([[from, undefined]]),
  frontier: [from],
});

const source = raw("source_id");
const target = raw("target_id");

const step = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, at: Side) {
  const [near, far] = at.forward ? [source, target] : [target, source];
  const next: Array<string> = [];
  for (const chunk of Batch.chunks(at.frontier)) {
    const links = yield* Prepared.run<readonly [near: string, far: string]>(
      sql,
      clause`SELECT ${near}, ${far} FROM links
        WHERE ${near} IN ${list(chunk)} AND relation = 'Blocks'`,
    );
    for (const [from, to] of links) {
      if (at.reached.has(to)) continue;
      at.reached.set(to, from);
      next.push(to);
    }
  }
  at.frontier = next;
});

const chain = (at: Side, end: string): ReadonlyArray<string> => {
  const issues: Array<string> = [];
  for (let issue: string | undefined = end; issue !== undefined; issue = at.reached.get(issue)) {
    issues.push(issue);
  }
  return issues;
};

export const find = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  from: string,
  to: string,
) {
  const ahead = side(true, from);
  const back = side(false, to);
  let meeting = from === to ? from : undefined;
  while (meeting === undefined && ahead.frontier.length > 0 && back.frontier.length > 0) {
    const [near, far] =
      ahead.frontier.length <= back.frontier.length ? [ahead, back] : [back, ahead];
    yield* step(sql, near);
    meeting = near.frontier.find((issue) => far.reached.has(issue));
  }
  if (meeting === undefined) return Option.none<ReadonlyArray<string>>();
  return Option.some([...chain(ahead, meeting).toReversed(), ...chain(back, meeting).slice(1)]);
});
