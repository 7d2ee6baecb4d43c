import { Effect, Option } from "effect";
import { CurrentPrincipal } from "../../access/Principal.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import type { IssueRow, IssueStatus } from "../Issue.ts";
import { IssueGraphRequest } from "../IssueGraph.ts";
import { IssueStore } from "../IssueStore.ts";
import { IssueView } from "../IssueView.ts";
import { LinkStore } from "../LinkStore.ts";
import { References } from "./References.ts";

const maxNodes = 500;

/** Neighbors read at a time. If a read fills this limit, more than 500 of them are not nodes. */
const most = 2 * maxNodes + 1;

/** A project's graph starts with its open issues, and includes done issues while there is room. */
const startingStatuses: ReadonlyArray<ReadonlyArray<IssueStatus>> = [
  ["Open", "InProgress", "WaitingOnDependency", "PendingReview"],
  ["Resolved", "Closed"],
];

type Request = typeof IssueGraphRequest.Encoded;

/** Graphs of issues that block each other. */
export const make = Effect.gen(function* () {
  const store = yield* IssueStore;
  const links = yield* LinkStore;
  const view = yield* IssueView;
  const references = yield* References;
  const decode = Input.decoder(IssueGraphRequest);

  /** A graph that grows from its starting issues until it has all of its nodes. */
  const growing = (depth: number) => {
    const nodes = new Map<string, IssueRow | null>();
    let truncated = false;

    /** Adds issues while there is room. */
    const add = (issues: ReadonlyArray<readonly [id: string, row: IssueRow | null]>) => {
      for (const [id, row] of issues) {
        if (nodes.has(id)) continue;
        if (nodes.size === maxNodes) truncated = true;
        else nodes.set(id, row);
      }
    };

    /** Follows the links in one direction, level by level. */
    const follow = Effect.fnUntraced(function* (
      starts: ReadonlyArray<string>,
      side: "blockers" | "dependents",
    ) {
      const { projects } = yield* CurrentPrincipal;
      const visited = new Set(starts);
      let level = starts;
      for (let distance = 0; level.length > 0; distance++) {
        const found = yield* links.neighbors({
          issueIds: level,
          side,
          projects,
          limit: most,
        });
        if (distance === depth) {
          truncated ||= found.some((id) => !nodes.has(id));
          return;
        }
        add(found.map((id) => [id, null]));
        level = found.filter((id) => nodes.has(id) && !visited.has(id));
        for (const id of level) visited.add(id);
      }
    });

    const start = Effect.fnUntraced(function* (rows: ReadonlyArray<IssueRow>) {
      add(rows.map((row) => [row.id, row]));
      const starts = rows.map(({ id }) => id).filter((id) => nodes.has(id));
      yield* follow(starts, "blockers");
      yield* follow(starts, "dependents");
    });

    const finish = Effect.gen(function* () {
      const rows: Array<IssueRow> = [];
      for (const [id, row] of nodes) {
        const found = row ?? Option.getOrNull(yield* store.get(id));
        if (found !== null) rows.push(found);
      }
      const ids = rows.map(({ id }) => id);
      return { nodes: yield* view.briefAll(rows), edges: yield* links.edges(ids), truncated };
    });

    return { start, finish };
  };

  const graph = Span.fn("Issues.graph")(function* (issueId: string, request: Request = {}) {
    const { depth = 10 } = yield* decode(request);
    const { finish, start } = growing(depth);
    yield* start([yield* view.row(issueId)]);
    return yield* finish;
  });

  const projectGraph = Span.fn("Issues.projectGraph")(function* (
    id: string,
    request: Request = {},
  ) {
    const { depth = 10 } = yield* decode(request);
    const projectId = yield* references.project(id);
    const { finish, start } = growing(depth);
    for (const status of startingStatuses) {
      yield* start(
        yield* store.list(
          { projectId, status },
          { limit: maxNodes + 1, order: "desc", after: null },
        ),
      );
    }
    return yield* finish;
  });

  return { graph, projectGraph };
});
