import { connect } from "@quartermaster/client";
import { type Context, Effect, Redacted, Schedule } from "effect";
import * as AdminAccess from "../AdminAccess.ts";
import * as Api from "../Api.ts";
import { CommandError } from "../CommandError.ts";
import type * as Connection from "../Connection.ts";
import * as Duration from "../Duration.ts";
import * as Lists from "../Lists.ts";
import * as Output from "../Output.ts";
import { fetch } from "../Transport.ts";
import { agents, plan, projectId, refPrefix } from "./SampleIssues.ts";
import * as ScriptedWork from "./ScriptedWork.ts";

/** Seconds of a lease: short, so that `--remove` need not wait long for an issue of a killed process. */
const leaseSeconds = 10;

const agentIds = Object.values(agents);

/** The access of an administrator: the demo registers agents, and works as them. */
const open = Effect.fnUntraced(function* (flags: Connection.Flags) {
  const { access, isAdmin } = yield* AdminAccess.find(flags);
  if (isAdmin) return access;
  return yield* new CommandError({
    kind: "refused",
    message: "The demo works as three agents. Use the key of an Admin.",
    problem: null,
    retryAfterSeconds: null,
  });
});

const issuesOf = (access: Api.Access) =>
  Lists.take(access, Number.POSITIVE_INFINITY, (client, options) =>
    client.issues.list({ projectId, limit: 500 }, options),
  );

/** The samples of the project, which may have other issues. */
const samplesOf = (access: Api.Access) =>
  Effect.map(issuesOf(access), (issues) =>
    issues.filter(({ externalRef }) => externalRef?.startsWith(refPrefix)),
  );

/** Works as one agent until the effect is interrupted, which releases its issue. */
const work = ({ key, url }: Api.Access, agentId: string, stepSeconds: number) =>
  Effect.contextWith((context: Context.Context<never>) => {
    const pause = (signal: AbortSignal) =>
      Effect.runPromiseWith(context)(Effect.sleep(stepSeconds * 1_000), { signal });
    const stop = new AbortController();
    const working = connect({ url, key: Redacted.value(key), runId: null, fetch })
      .agent(agentId)
      .work((task) => ScriptedWork.perform(task, pause), {
        leaseSeconds,
        signal: stop.signal,
      });
    return Effect.tryPromise({ try: () => working, catch: Api.failure(url) }).pipe(
      Effect.onInterrupt(() => {
        stop.abort();
        return Effect.promise(() => working.catch(() => {}));
      }),
    );
  });

/** Fills the project, unless an earlier start did. */
const fill = Effect.fnUntraced(function* (access: Api.Access) {
  const samples = yield* samplesOf(access);
  if (samples.length > 0) return samples.length;
  const created = yield* Api.call(access, (client, options) =>
    client.issues.plan({ projectId, issues: plan }, options),
  );
  return created.length;
});

/** `quartermaster demo`. */
export const run = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & { readonly pace: string },
) {
  const seconds = yield* Duration.option("pace", flags.pace, 0, 600);
  const access = yield* open(flags);
  const issues = yield* fill(access);
  yield* Output.one(flags.json, { url: access.url, projectId, issues, agents: agentIds }, [
    `The project ${projectId} has ${issues} sample issues: ${access.url}/work?project=${projectId}`,
    `${agentIds.join(", ")} work on them until you stop this command.`,
    "`quartermaster demo --remove` removes them.",
  ]);
  yield* Output.waiting("for issues that are ready: answer questions and approve reviews");
  yield* Effect.forEach(agentIds, (agentId) => work(access, agentId, seconds), {
    concurrency: "unbounded",
    discard: true,
  });
});

/** Deletes something that may be deleted already. */
const orAbsent = (deletion: Effect.Effect<unknown, CommandError>) =>
  Effect.catchIf(
    deletion,
    ({ kind }) => kind === "notFound",
    () => Effect.void,
  );

/** Deletes an agent when the leases of its last runs have expired. */
const removeAgent = (access: Api.Access, agentId: string) =>
  Api.call(access, (client, options) => client.agents.delete({ agentId }, options)).pipe(
    Effect.retry({
      while: ({ problem }) => problem === "in-use",
      schedule: Schedule.spaced("1 second"),
      times: 2 * leaseSeconds,
    }),
    orAbsent,
  );

/** Deletes the project, unless it has other issues. Returns whether it did. */
const removeProject = (access: Api.Access) =>
  Api.call(access, (client, options) => client.projects.delete({ projectId }, options)).pipe(
    Effect.as(true),
    Effect.catchIf(
      ({ kind, problem }) => kind === "notFound" || problem === "in-use",
      () => Effect.succeed(false),
    ),
  );

/** `quartermaster demo --remove`: the samples with everything on them, the agents and the project. */
export const remove = Effect.fnUntraced(function* (flags: Connection.ResultFlags) {
  const access = yield* open(flags);
  const samples = yield* samplesOf(access);
  yield* Effect.forEach(
    samples,
    ({ id: issueId }) =>
      orAbsent(
        Api.call(access, (client, options) =>
          client.issues.delete({ issueId, confirm: true }, options),
        ),
      ),
    { concurrency: 4, discard: true },
  );
  yield* Output.waitingDuring(
    "for the agents to stop",
    Effect.forEach(agentIds, (agentId) => removeAgent(access, agentId), { discard: true }),
  );
  const isProjectDeleted = yield* removeProject(access);
  yield* Output.one(flags.json, { deleted: samples.map(({ key }) => key), isProjectDeleted }, [
    `Removed ${samples.length} sample issues, ${agentIds.join(", ")}${isProjectDeleted ? ` and the project ${projectId}` : ""}.`,
    ...(isProjectDeleted ? [] : [`The project ${projectId} stays if it has other issues.`]),
  ]);
});
