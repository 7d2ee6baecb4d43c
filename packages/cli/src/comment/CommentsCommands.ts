import { Argument, Command, Flag } from "effect/cli";
import { connection, described, example, issue, lazily, limit, listAlias } from "../Options.ts";

/** `quartermaster comment ...`. Its code is in `Comments.ts`. */

const comments = () => import("./Comments.ts");

const id = "cmt_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA";

const comment = Argument.String("comment").pipe(
  Argument.withDescription("The id of the comment, cmt_..., as `comment list` prints it"),
);

const ifVersion = Flag.Int("if-version").pipe(
  Flag.withDescription("Only if the comment still has this version"),
  Flag.optional,
);

const list = Command.make(
  "list",
  { ...connection, issue, limit },
  lazily(() => comments().then(({ list }) => list)),
).pipe(
  listAlias,
  described("List the comments of an issue with their ids, oldest first"),
  example("comment list SHOP-142", "List the comments of an issue"),
);

const edit = Command.make(
  "edit",
  {
    ...connection,
    issue,
    comment,
    content: Argument.String("content").pipe(
      Argument.withDescription("The new text. Default: -, which reads stdin"),
      Argument.withDefault("-"),
    ),
    ifVersion,
  },
  lazily(() => comments().then(({ edit }) => edit)),
).pipe(
  described("Edit a comment", "Its earlier texts stay as versions."),
  example(`comment edit SHOP-142 ${id} "By Monday."`, "Edit a comment"),
);

const remove = Command.make(
  "delete",
  {
    ...connection,
    issue,
    comment,
    ifVersion,
    purge: Flag.Boolean("purge").pipe(
      Flag.withDescription("Also remove every version, as an Admin; needs --yes"),
      Flag.withDefault(false),
    ),
    yes: Flag.Boolean("yes").pipe(
      Flag.withDescription("Confirm that a purge cannot be undone"),
      Flag.withDefault(false),
    ),
  },
  lazily(() => comments().then(({ remove }) => remove)),
).pipe(
  described("Delete a comment", "Its versions stay, unless it is purged."),
  example(`comment delete SHOP-142 ${id}`, "Delete a comment"),
);

const versions = Command.make(
  "versions",
  { ...connection, issue, comment, limit },
  lazily(() => comments().then(({ versions }) => versions)),
).pipe(
  described("Print the texts that a comment has and had, oldest first"),
  example(`comment versions SHOP-142 ${id}`, "Print the versions of a comment"),
);

export const command = Command.make("comment").pipe(
  described("List, edit and delete comments", "`issue comment` adds one."),
  Command.withSubcommands([list, edit, remove, versions]),
);
