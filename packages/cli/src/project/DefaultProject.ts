import { Effect, Option } from "effect";
import type { Access } from "../Api.ts";
import { usage } from "../CommandError.ts";
import { variable } from "../Environment.ts";
import * as UserFile from "../UserFile.ts";

/**
 * The project that `quartermaster use` chose, for the server where it chose it. What a runner starts
 * works on its issue, so `QM_RUN_ID` turns the default off.
 */

const file = { name: "project.json", what: "default project" };

/** The default project at a server; null for none. */
export const at = Effect.fnUntraced(function* ({ url }: Pick<Access, "url">) {
  if ((yield* variable("QM_RUN_ID")) !== null) return null;
  const stored = yield* UserFile.read(file);
  if (Option.isNone(stored)) return null;
  const value: unknown = yield* Effect.try({
    try: () => JSON.parse(stored.value.text),
    catch: () => usage(`${stored.value.path} is damaged. Run \`quartermaster use PROJECT\` again.`),
  });
  const isRecord = typeof value === "object" && value !== null;
  if (!isRecord || !("url" in value) || !("project" in value) || value.url !== url) return null;
  return typeof value.project === "string" ? value.project : null;
});

/** Stores the default project of a server, instead of the earlier one. */
export const write = (url: string, project: string) =>
  UserFile.write(file, `${JSON.stringify({ url, project }, null, 2)}\n`);

/** Removes the default project. Returns whether there was one. */
export const remove = UserFile.remove(file);

/** The options of a command that reads one project or all. */
export interface Flags {
  readonly project: Option.Option<string>;
  readonly allProjects: boolean;
}

/** The project of a command: the named one, else the default one; null for all projects. */
export const of = Effect.fnUntraced(function* (access: Access, { allProjects, project }: Flags) {
  if (allProjects && Option.isSome(project)) {
    return yield* usage("Use either --project or --all-projects.");
  }
  if (allProjects) return null;
  return Option.getOrNull(project) ?? (yield* at(access));
});

/** The project of a command that needs one. */
export const required = Effect.fnUntraced(function* (
  access: Access,
  project: Option.Option<string>,
) {
  const chosen = yield* of(access, { project, allProjects: false });
  return (
    chosen ??
    (yield* usage(
      "Name the project with --project, or choose a default project with `quartermaster use PROJECT`.",
    ))
  );
});

/** The projects of a command that takes several: the named ones, else the default one; empty for all. */
export const several = Effect.fnUntraced(function* (
  access: Access,
  flags: { readonly project: ReadonlyArray<string>; readonly allProjects: boolean },
) {
  if (flags.project.length > 0 && !flags.allProjects) return flags.project;
  const project = Option.fromUndefinedOr(flags.project[0]);
  const chosen = yield* of(access, { project, allProjects: flags.allProjects });
  return chosen === null ? [] : [chosen];
});
