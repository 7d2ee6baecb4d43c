import { Effect, Option, Record } from "effect";
import { Forbidden } from "../../access/AccessErrors.ts";
import * as Principal from "../../access/Principal.ts";
import * as Fence from "../../agents/Fence.ts";
import { isLive } from "../../agents/Run.ts";
import { RunStore } from "../../agents/RunStore.ts";
import { LimitExceeded, NotFound } from "../../CommonErrors.ts";
import { Directory, isOwn } from "../../Directory.ts";
import { Idempotency } from "../../idempotency/Idempotency.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { Exists } from "../IssueErrors.ts";
import { ProjectCreate, type ProjectRow, ProjectUpdate } from "../Project.ts";
import { ProjectStore } from "../ProjectStore.ts";
import * as NewProjects from "./NewProjects.ts";
import * as ProjectRecords from "./ProjectRecords.ts";
import { References } from "./References.ts";

/** The most prefixes of a project, with those it had before. */
const maxPrefixes = 20;

/** The person that may change projects, and a prefix if one is given. */
const person = Effect.fnUntraced(function* (prefix: string | null | undefined) {
  const principal = yield* prefix == null
    ? Principal.require("Editor")
    : Principal.requireUnbound("Admin");
  return principal.agentId === null ? principal : yield* new Forbidden({ requiredRole: null });
});

/** Fails if the project may not have the prefix. */
const makePrefixCheck = Effect.map(ProjectStore, (store) =>
  Effect.fnUntraced(function* (projectId: string, prefix: string) {
    const owner = Option.getOrNull(yield* store.ownerOf(prefix));
    if (owner === projectId) return;
    if (owner !== null) return yield* new Exists({ name: "prefix" });
    if ((yield* store.countPrefixes(projectId)) >= maxPrefixes) {
      return yield* new LimitExceeded({ limit: maxPrefixes });
    }
  }),
);

/** The creation of a project by a request. */
const makeCreation = Effect.gen(function* () {
  const store = yield* ProjectStore;
  const { complete, get, record } = yield* ProjectRecords.make;
  const newProjects = yield* NewProjects.make;
  const checkPrefix = yield* makePrefixCheck;
  const fence = yield* Fence.make;
  const idempotency = yield* Idempotency;
  const directory = yield* Directory;
  const { transact } = yield* Transactor;
  const decodeCreate = Input.decoder(ProjectCreate);

  return Span.fn("Projects.create")(function* (input: typeof ProjectCreate.Encoded) {
    const { id, ...fields } = yield* decodeCreate(input);
    const principal = yield* person(fields.prefix);
    if (principal.projects !== null) return yield* new Forbidden({ requiredRole: null });
    if (isOwn(directory)) return yield* new NotFound({ resource: "project", id });
    const make = Effect.gen(function* () {
      yield* fence("writes");
      if (Option.isSome(yield* store.get(id))) return yield* new Exists({ name: "id" });
      if (fields.prefix != null) yield* checkPrefix(id, fields.prefix);
      const project = yield* newProjects.insert(id, fields);
      yield* record("project.created", project, principal, {
        prefix: { from: null, to: project.prefix },
        ...(project.name === null ? {} : { name: { from: null, to: project.name } }),
      });
      return yield* complete(project);
    });
    return yield* transact(idempotency.once({ make, find: get }));
  });
});

/** The creation and the changes of projects, and reads of one. */
export const make = Effect.gen(function* () {
  const store = yield* ProjectStore;
  const runs = yield* RunStore;
  const references = yield* References;
  const { complete, get, record } = yield* ProjectRecords.make;
  const newProjects = yield* NewProjects.make;
  const checkPrefix = yield* makePrefixCheck;
  const fence = yield* Fence.make;
  const { transact } = yield* Transactor;
  const decode = Input.decoder(ProjectUpdate);

  const stopRuns = Effect.fnUntraced(function* (projectId: string) {
    const now = yield* Timestamp.now;
    const active = (yield* runs.notEndedIn(projectId)).filter(
      (run) => run.status === "active" && isLive(run, now),
    );
    yield* runs.update(
      active.map((run) => ({ ...run, status: "stopping", stopReason: "projectPaused" })),
    );
  });

  const put = Span.fn("Projects.put")(function* (
    projectId: string,
    input: typeof ProjectUpdate.Encoded = {},
  ) {
    const { agentsMay, description, name, paused, prefix } = yield* decode(input);
    const principal = yield* person(prefix);
    const id = yield* references.project(projectId);
    return yield* transact(
      Effect.gen(function* () {
        yield* fence("writes");
        const found = yield* store.hold(id);
        if (Option.isNone(found) && newProjects.isStrict) {
          return yield* new NotFound({ resource: "project", id });
        }
        const before = Option.isSome(found) ? found.value : yield* newProjects.insert(id, {});
        if (prefix != null) yield* checkPrefix(id, prefix);
        const after: ProjectRow = {
          id,
          prefix: prefix ?? before.prefix,
          name: name === undefined ? before.name : name,
          description: description === undefined ? before.description : description,
        };
        const changes: ProjectRecords.Changes = {};
        for (const field of ["prefix", "name"] as const) {
          if (before[field] === after[field]) continue;
          changes[field] = { from: before[field], to: after[field] };
        }
        // As with issues, the texts are not in the event.
        if (before.description !== after.description) changes["description"] = null;
        if (!Record.isEmptyRecord(changes)) yield* store.put(after);
        if (paused != null && (yield* store.setPaused(id, paused))) {
          if (paused) yield* stopRuns(id);
          changes["paused"] = { from: !paused, to: paused };
        }
        const mayBefore = yield* store.agentsMay(id);
        if (agentsMay != null && agentsMay !== mayBefore) {
          yield* store.setAgentsMay(id, agentsMay);
          changes["agentsMay"] = { from: mayBefore, to: agentsMay };
        }
        yield* record("project.updated", after, principal, changes);
        return yield* complete(after);
      }),
    );
  });

  return { get, create: yield* makeCreation, put };
});
