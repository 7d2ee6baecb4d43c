import { Context, Effect, Schema } from "effect";
import type { Actor } from "../Actor.ts";
import { Forbidden } from "./AccessErrors.ts";
import * as Role from "./Role.ts";

/** The user, agent or service that makes a call, in the form of `GET /api/session`. */
export const Principal = Schema.Struct({
  type: Schema.Literals(["User", "Agent", "System"]).annotateKey({
    description: "`User` for a person, `Agent` for an agent, `System` for the service itself.",
  }),
  id: Schema.String.annotateKey({ description: "The user's, agent's or key's id." }),
  role: Role.Role.annotateKey({
    description:
      "`Metrics` can only read metrics; `Viewer` reads; `Editor` also changes issues and runs agents; `Admin` also manages agents, keys and MCP servers; `Owner` also manages Owner keys.",
  }),
  projects: Schema.NullOr(Schema.Array(Schema.String)).annotateKey({
    description: "The projects that the principal may see; null for all.",
  }),
  agentId: Schema.NullOr(Schema.String).annotateKey({
    description: "The agent that the principal acts as; null for none.",
  }),
  userId: Schema.NullOr(Schema.String).annotateKey({
    description: "The user that the principal acts as; null for none.",
  }),
}).annotate({
  identifier: "Principal",
  description: "The user, agent or service that makes a call.",
});
export interface Principal extends Schema.Schema.Type<typeof Principal> {}

/**
 * The principal that makes the current call. Every service reads it; a host provides it with
 * `Effect.provideService(CurrentPrincipal, principal)`.
 *
 * @example
 * ```ts
 * import { Issues, Principal } from "@quartermaster/core";
 * import { Effect } from "effect";
 *
 * export const example = Effect.gen(function* () {
 *   const issues = yield* Issues.Issues;
 *   const issue = yield* issues.create("shop", { title: "Rotate the keys" }).pipe(Effect.provideService(Principal.CurrentPrincipal, Principal.user("ada")));
 *   return issue.createdBy.id; // "ada"
 * }).pipe(Effect.provideService(Principal.CurrentPrincipal, Principal.user("ada")));
 * ```
 */
export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()(
  "@quartermaster/core/access/CurrentPrincipal",
) {}

/** The service itself. It sees every project and has every permission. */
export const system: Principal = {
  type: "System",
  id: "quartermaster",
  role: "Owner",
  projects: null,
  agentId: null,
  userId: null,
};

/**
 * A user of the host, for hosts that authenticate their callers themselves.
 *
 * @example
 * ```ts
 * import { Principal } from "@quartermaster/core";
 *
 * export const example = () => {
 *   const { type, id, role } = Principal.user("ada", "Editor");
 *   return [type, id, role]; // ["User","ada","Editor"]
 * };
 * ```
 */
export const user = (userId: string, role: Role.Role = "Owner"): Principal => ({
  type: "User",
  id: userId,
  role,
  projects: null,
  agentId: null,
  userId,
});

/**
 * An agent of the host. It acts for itself and for no other agent.
 *
 * @example
 * ```ts
 * import { Principal } from "@quartermaster/core";
 *
 * export const example = () => {
 *   const { type, agentId, role } = Principal.agent("ops");
 *   return [type, agentId, role]; // ["Agent","ops","Editor"]
 * };
 * ```
 */
export const agent = (agentId: string, role: Role.Role = "Editor"): Principal => ({
  type: "Agent",
  id: agentId,
  role,
  projects: null,
  agentId,
  userId: null,
});

/** The principal as the actor of a change. */
export const actorOf = (principal: Principal): Actor => ({
  type: principal.type,
  id: principal.id,
});

/** Returns whether the principal may see the project. */
export const sees = (principal: Principal, projectId: string): boolean =>
  principal.projects === null || principal.projects.includes(projectId);

/**
 * Returns whether the principal may act for the agent, regardless of its role. An agent acts only
 * for itself; a principal with projects and without an agent acts for no agent.
 */
export const actsFor = ({ agentId, projects }: Principal, id: string | undefined): boolean =>
  agentId === null ? projects === null : agentId === id;

/** The current principal, if its role includes `role`; `Forbidden` otherwise. */
export const require = (role: Role.Role): Effect.Effect<Principal, Forbidden, CurrentPrincipal> =>
  Effect.flatMap(CurrentPrincipal, (principal) =>
    Role.includes(principal.role, role)
      ? Effect.succeed(principal)
      : Effect.fail(new Forbidden({ requiredRole: role })),
  );

/**
 * The current principal, if its role includes `role` and it is not bound to projects: the
 * principals that may manage MCP servers, agents and keys.
 */
export const requireUnbound = (
  role: Role.Role,
): Effect.Effect<Principal, Forbidden, CurrentPrincipal> =>
  Effect.filterOrFail(
    require(role),
    (principal) => principal.projects === null,
    () => new Forbidden({ requiredRole: null }),
  );

/** The current principal, if it is an Editor or above and may act for the agent. */
export const requireActingFor = (
  agentId: string,
): Effect.Effect<Principal, Forbidden, CurrentPrincipal> =>
  Effect.filterOrFail(
    require("Editor"),
    (principal) => actsFor(principal, agentId),
    () => new Forbidden({ requiredRole: null }),
  );
