import type { SessionInfo } from "@quartermaster/client";
import { Console, DateTime, Effect, Redacted, Schedule } from "effect";
import * as Api from "../Api.ts";
import { type CommandError, usage } from "../CommandError.ts";
import * as Login from "../login/Login.ts";

/** The agent that the runner works for, with a key of that agent. */
export interface Worker {
  readonly agentId: string;
  /** The current access. Read it for each call: the key is replaced every 12 hours. */
  readonly access: Api.Access;
}

/** Hours until a created key expires, and until it is replaced. */
const lifetime = 24;
const renewedAfter = 12;

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
  // Claims cover all projects of the key, so options cannot narrow them.
  const isNarrower = principal.projects?.every((project) => projects.includes(project)) !== true;
  if (projects.length > 0 && isNarrower) {
    return yield* usage(
      `The key of ${agentId} is not bound to these projects. Omit --project, or create a key for them with \`quartermaster key create\`.`,
    );
  }
  return { agentId, access } satisfies Worker;
});

/**
 * Creates keys of the agent with an Admin's key, a new one every 12 hours. A command that got the
 * previous key can use it for 12 more hours. The last two keys are deleted with the scope; older
 * ones have expired.
 */
const renewed = Effect.fnUntraced(function* (
  admin: Api.Access,
  agentId: string,
  projects: ReadonlyArray<string> | null,
) {
  let held: ReadonlyArray<string> = [];
  const create = Effect.gen(function* () {
    const expiresAt = DateTime.add(yield* DateTime.now, { hours: lifetime });
    const created = yield* Api.call(admin, (client, options) =>
      client.keys.create(
        {
          name: `Runner of ${agentId}`.slice(0, 128),
          role: "Editor",
          agentId,
          projects,
          expiresAt: DateTime.formatIso(expiresAt),
        },
        options,
      ),
    );
    held = [...held.slice(-1), created.id];
    return { ...admin, key: Redacted.make(created.key) };
    // An interruption between creation and storage of the id would leave a key that is never
    // deleted.
  }).pipe(Effect.uninterruptible);
  const remove = (keyId: string) =>
    Effect.ignore(
      Api.call(admin, (client, options) => client.keys.delete({ keyId }, options), {
        timeoutMillis: 3_000,
        retries: 0,
      }),
    );
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => Effect.forEach(held, remove, { concurrency: 2, discard: true })),
  );
  let access: Api.Access = yield* create;
  const isTemporary = ({ retryAfterSeconds }: CommandError) => retryAfterSeconds !== null;
  yield* Effect.sleep(`${renewedAfter} hours`).pipe(
    Effect.andThen(
      Effect.retry(create, { while: isTemporary, schedule: Schedule.spaced("1 minute") }),
    ),
    Effect.tap((next) => Effect.sync(() => (access = next))),
    Effect.forever,
    Effect.catch(({ message }) =>
      Console.error(`The agent's key cannot be renewed, and expires within 12 hours: ${message}`),
    ),
    Effect.forkScoped,
  );
  return {
    agentId,
    get access() {
      return access;
    },
  } satisfies Worker;
});

/**
 * Returns the agent and its access. With an Admin's key, it creates keys of the agent, which expire
 * after 24 hours and are deleted with the scope, so that the command never gets the Admin's key.
 */
export const make = Effect.fnUntraced(function* (
  access: Api.Access,
  agent: string | null,
  projects: ReadonlyArray<string>,
) {
  const session = yield* Login.get(access);
  if (session.principal.agentId !== null) return yield* own(access, session, agent, projects);
  if (!isAdmin(session)) {
    return yield* usage(
      "This command needs an agent's key, or an Admin's key with --agent. Create one with `quartermaster key create NAME --agent AGENT`.",
    );
  }
  if (agent === null) return yield* usage("With an Admin's key, name the agent with --agent.");
  const bound = projects.length > 0 ? projects : session.principal.projects;
  return yield* renewed(access, agent, bound);
});
