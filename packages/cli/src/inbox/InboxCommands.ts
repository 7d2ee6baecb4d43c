import { Command, Flag } from "effect/cli";
import {
  allProjects,
  connection,
  described,
  example,
  issue,
  lazily,
  limit,
  listAlias,
  text,
} from "../Options.ts";

/** `quartermaster inbox ...`. The code of the commands is in `Inbox.ts`. */

const inbox = () => import("./Inbox.ts");

const list = Command.make(
  "list",
  {
    ...connection,
    project: Flag.String("project").pipe(
      Flag.withDescription(
        "Only items of this project; repeatable. Default: the project of `quartermaster use`",
      ),
      Flag.atLeast(0),
    ),
    allProjects,
    kind: text("kind", "Only items of these kinds, separated by commas, such as review,mentioned"),
    mine: Flag.Boolean("mine").pipe(
      Flag.withDescription("Only what is assigned to you, your questions, and your mentions"),
      Flag.withDefault(false),
    ),
    limit,
  },
  lazily(() => inbox().then(({ list }) => list)),
).pipe(
  listAlias,
  described("List what waits for a person", "Most urgent first."),
  example("inbox list --kind mentioned", "List the issues that mention you"),
);

const done = Command.make(
  "done",
  { ...connection, issue },
  lazily(() => inbox().then(({ done }) => done)),
).pipe(
  described(
    "Remove an issue that mentions you",
    "It returns with the next mention. Your next comment on the issue removes it as well.",
  ),
  example("inbox done SHOP-142", "Remove a mention without a comment"),
);

export const command = Command.make("inbox").pipe(
  described("List the inbox, and remove mentions"),
  Command.withSubcommands([list, done]),
);
