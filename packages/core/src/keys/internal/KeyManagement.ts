import { Effect, Option, Redacted } from "effect";
import { Forbidden, LastOwnerKey } from "../../access/AccessErrors.ts";
import * as Principal from "../../access/Principal.ts";
import * as Role from "../../access/Role.ts";
import { AuditLog } from "../../audit/AuditLog.ts";
import { InvalidRequest, NotFound, UnknownReference } from "../../CommonErrors.ts";
import { Directory } from "../../Directory.ts";
import { EventLog } from "../../events/EventLog.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import * as Page from "../../Page.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { type ApiKey, ApiKeyCreate, ApiKeyNameFilter, isOwner, toApiKey } from "../ApiKey.ts";
import { KeyStore } from "../KeyStore.ts";
import * as KeySecrets from "./KeySecrets.ts";

/** Fields that exclude each other, each pair with the error. */
const problemsOf = ({
  role,
  ...bounds
}: Pick<ApiKey, "agentId" | "projects" | "role" | "userId">): ReadonlyArray<
  readonly [field: string, message: string]
> => [
  ...(bounds.agentId !== null && bounds.userId !== null
    ? [["userId", "cannot be given together with agentId"] as const]
    : []),
  ...(bounds.agentId !== null && Role.includes(role, "Admin")
    ? [["role", "must be Viewer or Editor with agentId"] as const]
    : []),
  ...Object.entries(bounds)
    .filter(([, value]) => role === "Metrics" && value !== null)
    .map(([field]) => [field, "cannot be given with the role Metrics"] as const),
];

/** The creation, listing and deletion of keys. */
export const make = Effect.gen(function* () {
  const store = yield* KeyStore;
  const secrets = yield* KeySecrets.make;
  const events = yield* EventLog;
  const audit = yield* AuditLog;
  const directory = yield* Directory;
  const { transact } = yield* Transactor;
  const decodeCreate = Input.decoder(ApiKeyCreate);
  const decodeNames = Input.decoder(ApiKeyNameFilter);

  const record = Effect.fnUntraced(function* (
    kind: "key.created" | "key.deleted",
    { id, name, role }: Pick<ApiKey, "id" | "name" | "role">,
    principal: Principal.Principal,
  ) {
    const actor = Principal.actorOf(principal);
    yield* events.record([
      {
        kind,
        projectId: null,
        relatedProjectId: null,
        subjectId: id,
        actor,
        data: { name, role },
      },
    ]);
    yield* audit.record([{ action: kind, actor, subject: { type: "key", id, name } }]);
  });

  /** Fails if the directory does not know an agent, user or project that the key names. */
  const checkNames = Effect.fnUntraced(function* ({ agentId, userId, projects }: ApiKeyCreate) {
    for (const [field, kind, id] of [
      ["agentId", "agent", agentId],
      ["userId", "user", userId],
      ...(projects ?? []).map((project) => ["projects", "project", project] as const),
    ] as const) {
      if (id != null && !(yield* directory.knows(kind, id))) {
        return yield* new UnknownReference({ field, id });
      }
    }
  });

  const create = Span.fn("Keys.create")(function* (input: typeof ApiKeyCreate.Encoded) {
    const principal = yield* Principal.requireUnbound("Admin");
    const body = yield* decodeCreate(input);
    const { name, role, agentId = null, userId = null, projects = null, expiresAt = null } = body;
    const [problem] = problemsOf({ role, agentId, userId, projects });
    if (problem !== undefined) return yield* InvalidRequest.at(...problem);
    if (!Role.includes(principal.role, role)) {
      return yield* new Forbidden({ requiredRole: role });
    }
    yield* checkNames(body);
    return yield* transact(
      Effect.gen(function* () {
        const fields = { name, role, projects, agentId, userId, expiresAt };
        const { row, key } = yield* secrets.create(fields);
        yield* record("key.created", row, principal);
        return { ...toApiKey(yield* store.insert(row)), key };
      }),
    );
  });

  const list = Span.fn("Keys.list")(function* (request: Page.PageRequest = {}) {
    const principal = yield* Principal.requireUnbound("Admin");
    const roles = Role.Role.literals.filter((role) => Role.includes(principal.role, role));
    const page = yield* Page.read(
      { ...request, defaultOrder: "desc", query: ["keys", roles] },
      (slice) => store.list(roles, slice),
    );
    return Page.map(page, toApiKey);
  });

  const names = Span.fn("Keys.names")(function* (filter: ApiKeyNameFilter) {
    yield* Principal.require("Viewer");
    const { id: ids } = yield* decodeNames(filter);
    const found = yield* Effect.forEach(new Set(ids), store.get);
    return found.flatMap(Option.toArray).map(({ id, name }) => ({ id, name }));
  });

  const remove = Span.fn("Keys.remove")(function* (keyId: string) {
    const principal = yield* Principal.requireUnbound("Admin");
    yield* transact(
      Effect.gen(function* () {
        const key = Option.getOrNull(yield* store.get(keyId));
        if (key === null || !Role.includes(principal.role, key.role)) {
          return yield* new NotFound({ resource: "key", id: keyId });
        }
        const now = yield* Timestamp.now;
        if (isOwner(key, now) && (yield* store.owners(now)) === 1) {
          return yield* new LastOwnerKey();
        }
        yield* store.remove(keyId);
        yield* record("key.deleted", key, principal);
      }),
    );
  });

  const bootstrap = Span.fn("Keys.bootstrap")(function* <E, R>(
    save: (key: Redacted.Redacted<string>) => Effect.Effect<void, E, R>,
  ) {
    return yield* transact(
      Effect.gen(function* () {
        // The number of Owner keys still holds at commit; a list does not have to. If two nodes
        // bootstrap, the second one reruns and finds the key of the first one.
        if ((yield* store.owners(yield* Timestamp.now)) > 0) return false;
        const slice = { limit: 1, order: "asc", after: null } as const;
        if ((yield* store.list(Role.Role.literals, slice)).length > 0) return false;
        const { row, key } = yield* secrets.create({
          name: "Owner",
          role: "Owner",
          projects: null,
          agentId: null,
          userId: null,
          expiresAt: null,
        });
        yield* save(Redacted.make(key));
        yield* store.insert(row);
        yield* record("key.created", row, Principal.system);
        return true;
      }),
    );
  });

  return { create, list, names, remove, bootstrap };
});
