import type { SessionInfo } from "@quartermaster/client";
import { DateTime, Effect, Redacted } from "effect";
import * as Api from "../Api.ts";
import { usage } from "../CommandError.ts";
import * as Session from "../Session.ts";

/** The agent whose work the runner does, and access with a key of that agent. */
export interface Worker {
  readonly agentId: string;
  readonly access: Api.Access;
}

const isAdmin = ({ principal }: SessionInfo) =>
  principal.role === "Admin" || principal.role === "Owner";

const own = Effect.fnUntraced(function* (
  access: Api.Access,
  { principal }: SessionInfo,
  agent: string | null,
  projects: ReadonlyArray<string>,
) {
  const agentId = principal.agentId ?? "";
  if (agent !== null && agent !== agentId) {
    return yield* usage(
      `The key belongs to the agent ${agentId}. Omit --agent, or use a key of ${agent} or an Admin's.`,
    );
  }
  // The claim follows the projects of the key: an option cannot narrow them.
  const isNarrower = principal.projects?.every((project) => projects.includes(project)) !== true;
  if (projects.length > 0 && isNarrower) {
    return yield* usage(
      `The key of ${agentId} is not bound to these projects. Omit --project, or create a key for them with \`quartermaster key create\`.`,
    );
  }
  return { agentId, access } satisfies Worker;
});

/**
 * Decides the agent. With an Admin's key it creates a key for the agent, which expires after 24 hours
 * and is deleted with the scope: the command never gets the Admin's key.
 */
export const make = Effect.fnUntraced(function* (
  access: Api.Access,
  agent: string | null,
  projects: ReadonlyArray<string>,
) {
  const session = yield* Session.get(access);
  if (session.principal.agentId !== null) return yield* own(access, session, agent, projects);
  if (!isAdmin(session)) {
    return yield* usage(
      "This command needs an agent's key, or an Admin's key with --agent. Create one with `quartermaster key create NAME --agent AGENT`.",
    );
  }
  if (agent === null) return yield* usage("With an Admin's key, name the agent with --agent.");
  const expiresAt = DateTime.formatIso(DateTime.add(yield* DateTime.now, { hours: 24 }));
  const bound = projects.length > 0 ? projects : session.principal.projects;
  const created = yield* Effect.acquireRelease(
    Api.call(access, (client, options) =>
      client.keys.create(
        {
          name: `Runner of ${agent}`.slice(0, 128),
          role: "Editor",
          agentId: agent,
          projects: bound,
          expiresAt,
        },
        options,
      ),
    ),
    ({ id }) =>
      Effect.ignore(
        Api.call(access, (client, options) => client.keys.delete({ keyId: id }, options), {
          timeoutMillis: 3_000,
          retries: 0,
        }),
      ),
  );
  return {
    agentId: agent,
    access: { url: access.url, key: Redacted.make(created.key) },
  } satisfies Worker;
});
