import type { Project, ProjectSummary } from "@quartermaster/client";
import { Effect, Option } from "effect";
import * as Api from "../Api.ts";
import { usage } from "../CommandError.ts";
import * as Connection from "../Connection.ts";
import * as Lists from "../Lists.ts";
import * as Look from "../Look.ts";
import * as Output from "../Output.ts";
import * as DefaultProject from "./DefaultProject.ts";

interface OfProject extends Connection.ResultFlags {
  readonly project: string;
}

const stateOf = ({ paused }: Pick<Project, "paused">) => (paused ? "paused" : "active");

const unfinished = ({ counts }: ProjectSummary): number =>
  counts.Open + counts.InProgress + counts.WaitingOnDependency + counts.PendingReview;

export const list = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & { readonly limit: number },
) {
  const access = yield* Connection.open(flags);
  const projects = yield* Lists.take(access, flags.limit, (client, options) =>
    client.projects.list({ limit: Lists.pageSize(flags.limit) }, options),
  );
  yield* Output.list(
    flags.json,
    projects,
    ["ID", "PREFIX", "STATE", "OPEN", "RUNNING", "REVIEW", "CHANGED", "NAME"],
    projects.map((project) => [
      project.id,
      project.prefix,
      Output.state(stateOf(project)),
      unfinished(project),
      project.counts.InProgress,
      project.counts.PendingReview,
      Output.time(project.lastActivityAt, "never"),
      project.name,
    ]),
  );
});

const line = (look: Look.Look, project: Project): string =>
  [
    Look.strong(look, Output.cell(project.id)),
    project.prefix,
    Look.state(look, stateOf(project)),
    Output.cell(project.name),
  ]
    .filter((part) => part !== "")
    .join("  ");

export const show = Effect.fnUntraced(function* (flags: OfProject) {
  const access = yield* Connection.open(flags);
  const project = yield* Api.call(access, (client, options) =>
    client.projects.get({ projectId: flags.project }, options),
  );
  yield* Output.one(flags.json, project, (look) => [
    line(look, project),
    `agents may ${project.agentsMay}`,
    ...(project.description === null ? [] : ["", Output.multiline(project.description)]),
  ]);
});

export const create = Effect.fnUntraced(function* (
  flags: OfProject & {
    readonly name: Option.Option<string>;
    readonly prefix: Option.Option<string>;
  },
) {
  const access = yield* Connection.open(flags);
  const project = yield* Api.call(access, (client, options) =>
    client.projects.create(
      {
        id: flags.project,
        name: Option.getOrUndefined(flags.name),
        prefix: Option.getOrUndefined(flags.prefix),
      },
      options,
    ),
  );
  yield* Output.one(flags.json, project, [project.id]);
});

/** Reads the project first: a PUT would create a misspelled one. */
const setPaused = (paused: boolean) =>
  Effect.fnUntraced(function* (flags: OfProject) {
    const access = yield* Connection.open(flags);
    const { project: projectId } = flags;
    const project = yield* Api.call(access, async (client, options) => {
      await client.projects.get({ projectId }, options);
      return client.projects.put({ projectId, paused }, options);
    });
    yield* Output.one(flags.json, project, (look) => [line(look, project)]);
  });

export const pause = setPaused(true);

export const resume = setPaused(false);

export const remove = Effect.fnUntraced(function* (flags: OfProject & { readonly yes: boolean }) {
  if (!flags.yes) return yield* usage("Deleting a project cannot be undone. Confirm with --yes.");
  const access = yield* Connection.open(flags);
  const { project: projectId } = flags;
  yield* Api.call(access, (client, options) => client.projects.delete({ projectId }, options));
  yield* Output.one(flags.json, { deleted: projectId }, []);
});

/** `quartermaster use [PROJECT]`. */
export const use = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & {
    readonly project: Option.Option<string>;
    readonly none: boolean;
  },
) {
  if (flags.none && Option.isSome(flags.project)) {
    return yield* usage("Use either a project or --none.");
  }
  if (flags.none) yield* DefaultProject.remove;
  const access = yield* Connection.open(flags);
  if (Option.isSome(flags.project)) {
    const projectId = flags.project.value;
    yield* Api.call(access, (client, options) => client.projects.get({ projectId }, options));
    yield* DefaultProject.write(access.url, projectId);
  }
  const project = Option.getOrNull(flags.project) ?? (yield* DefaultProject.at(access));
  yield* Output.one(flags.json, { url: access.url, projectId: project }, [
    project === null
      ? "Commands use all projects."
      : `Commands use the project ${Output.cell(project)} at ${access.url}.`,
  ]);
});
