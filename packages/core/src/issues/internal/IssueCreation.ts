import { Effect } from "effect";
import * as Principal from "../../access/Principal.ts";
import type { Actor } from "../../Actor.ts";
import * as Fence from "../../agents/Fence.ts";
import { LimitExceeded } from "../../CommonErrors.ts";
import { CoreOptions } from "../../CoreOptions.ts";
import { Idempotency } from "../../idempotency/Idempotency.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import { Transactor } from "../../Transactor.ts";
import type { InsertedIssue, SavedIssue } from "../Issue.ts";
import { IssueCreate } from "../IssueInput.ts";
import { IssueView } from "../IssueView.ts";
import * as Creations from "./Creations.ts";
import { LinkChanges } from "./LinkChanges.ts";
import * as NewIssues from "./NewIssues.ts";
import * as NewProjects from "./NewProjects.ts";
import { References } from "./References.ts";

/** A checked request. */
interface Request {
  readonly body: IssueCreate;
  readonly projectId: string;
  readonly assignment: Effect.Success<ReturnType<References["Service"]["check"]>>;
  readonly createdBy: Actor;
}

/** The creation of an issue. */
export const make = Effect.gen(function* () {
  const view = yield* IssueView;
  const fence = yield* Fence.make;
  const links = yield* LinkChanges;
  const references = yield* References;
  const idempotency = yield* Idempotency;
  const { maxLinks } = yield* CoreOptions;
  const { transact } = yield* Transactor;
  const projects = yield* NewProjects.make;
  const insert = yield* NewIssues.make;
  const decode = Input.decoder(IssueCreate);

  /** The blocker that the body names, if any and if it can take another link. */
  const blockerOf = Effect.fnUntraced(function* ({ blockedByIssueId }: IssueCreate) {
    if (blockedByIssueId == null) return null;
    const blocker = yield* references.issue("blockedByIssueId", blockedByIssueId);
    return blocker.linkCount < maxLinks ? blocker : yield* new LimitExceeded({ limit: maxLinks });
  });

  const saved = Effect.fnUntraced(function* (
    { body, projectId }: Request,
    creations: Creations.Creations,
    row: InsertedIssue,
  ) {
    const issue: SavedIssue = {
      ...(yield* view.render(row)),
      created: Creations.onTheWay(creations, 0, projectId, body.assignedAgentId),
      warnings: yield* references.warnings(body),
    };
    return { id: Creations.toText(creations), issue };
  });

  const insertOne = Effect.fnUntraced(function* (request: Request) {
    const { assignment, body, createdBy, projectId } = request;
    yield* fence("writes");
    const { isNew, project } = yield* projects.ofIssue(projectId);
    const agent = yield* references.assign(assignment);
    const blocker = yield* blockerOf(body);
    const isBlocked = blocker !== null;
    const issue = yield* insert(body, { project, createdBy, isBlocked });
    if (blocker !== null) yield* links.blockAtCreation(issue, [blocker]);
    const newAgents = new Set(agent === null ? [] : [0]);
    const creations = { issueIds: [issue.id], isProjectNew: isNew, newAgents };
    return yield* saved(request, creations, blocker === null ? issue : yield* view.row(issue.id));
  });

  const find = Effect.fnUntraced(function* (request: Request, id: string) {
    const creations = Creations.fromText(id);
    return yield* saved(request, creations, yield* view.row(creations.issueIds.join()));
  });

  const create = Span.fn("Issues.create")(function* (
    id: string,
    input: typeof IssueCreate.Encoded,
  ) {
    const createdBy = Principal.actorOf(yield* Principal.require("Editor"));
    const body = yield* decode(input);
    const projectId = yield* references.project(id);
    const assignment = yield* references.check(body);
    const request = { body, projectId, assignment, createdBy };
    const once = idempotency.once({
      make: insertOne(request),
      find: (id) => find(request, id),
    });
    return (yield* transact(once)).issue;
  });

  return { create };
});
