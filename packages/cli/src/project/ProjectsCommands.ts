import { Argument, Command, Flag } from "effect/cli";
import {
  connection,
  described,
  example,
  lazily,
  limit,
  listAlias,
  newAlias,
  text,
} from "../Options.ts";

/** `quartermaster project ...` and `quartermaster use`. Their code is in `Projects.ts`. */

const projects = () => import("./Projects.ts");

const project = Argument.String("project").pipe(Argument.withDescription("The id of the project"));

const list = Command.make(
  "list",
  { ...connection, limit },
  lazily(() => projects().then(({ list }) => list)),
).pipe(
  listAlias,
  described("List projects"),
  example("project list", "List projects with the numbers of their issues"),
);

const show = Command.make(
  "show",
  { ...connection, project },
  lazily(() => projects().then(({ show }) => show)),
).pipe(described("Print a project"), example("project show shop", "Print a project"));

const create = Command.make(
  "create",
  {
    ...connection,
    project,
    name: text("name", "The name that people see"),
    prefix: text(
      "prefix",
      "The first part of the keys of its issues, such as SHOP. Default: made from the id. Requires the role Admin",
    ),
  },
  lazily(() => projects().then(({ create }) => create)),
).pipe(
  newAlias,
  described("Create a project, and print its id"),
  example('project create shop --name "The shop"', "Create a project"),
);

const pause = Command.make(
  "pause",
  { ...connection, project },
  lazily(() => projects().then(({ pause }) => pause)),
).pipe(
  described(
    "Pause a project",
    "Its runs stop at their next turn, and no agent gets its issues until you resume it.",
  ),
  example("project pause shop", "Pause a project"),
);

const resume = Command.make(
  "resume",
  { ...connection, project },
  lazily(() => projects().then(({ resume }) => resume)),
).pipe(described("Resume a paused project"), example("project resume shop", "Resume a project"));

const remove = Command.make(
  "delete",
  {
    ...connection,
    project,
    yes: Flag.Boolean("yes").pipe(
      Flag.withDescription("Confirm that its runs, shared views and webhooks are deleted"),
      Flag.withDefault(false),
    ),
  },
  lazily(() => projects().then(({ remove }) => remove)),
).pipe(
  described(
    "Permanently delete a project without issues",
    "Its prefix stays reserved for a project with the same id. Requires the role Admin.",
  ),
  example("project delete shop --yes", "Delete a project"),
);

export const command = Command.make("project").pipe(
  described("List, create, pause and delete projects"),
  Command.withSubcommands([list, show, create, pause, resume, remove]),
);

export const use = Command.make(
  "use",
  {
    ...connection,
    project: Argument.String("project").pipe(
      Argument.withDescription("The id of the project. Default: print the current one"),
      Argument.optional,
    ),
    none: Flag.Boolean("none").pipe(
      Flag.withDescription("Use no default project"),
      Flag.withDefault(false),
    ),
  },
  lazily(() => projects().then(({ use }) => use)),
).pipe(
  described(
    "Choose the default project of the other commands",
    "Where a command takes --project and none is given, it uses this project; --all-projects reads all. It is stored for this server, and commands of a run do not use it.",
  ),
  example("use shop", "Use a project"),
);
