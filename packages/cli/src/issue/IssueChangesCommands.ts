import { Argument, Command, Flag } from "effect/cli";
import { connection, described, example, issue, lazily, newAlias, text } from "../Options.ts";
import { label, priority, project } from "./IssueFlags.ts";

/** The commands that change issues. Their code is in `IssueChanges.ts` and `IssueFiles.ts`. */

const changes = () => import("./IssueChanges.ts");

const fields = {
  description: text("description", "The description; - reads it from stdin"),
  priority,
  agent: text("agent", "The agent that works on the issue"),
  assignee: text("assignee", "The person who owns or reviews the issue"),
  goal: text("goal", "The goal that the issue serves"),
  label: label("A label; the given labels replace all labels, and `none` removes them"),
  metadata: Flag.String("meta").pipe(
    Flag.withDescription(
      "A field of the metadata, KEY=TEXT; the given fields replace all metadata, and `none` removes it; repeatable",
    ),
    Flag.atLeast(0),
  ),
  externalRef: text("external-ref", "The issue's id in another system; `none` removes it"),
  notBefore: text(
    "not-before",
    "The earliest start: a duration from now such as 2h, or a time in ISO 8601; `none` removes it",
  ),
};

/** `issue create`, and its short form. */
const createAs = <const Name extends string>(name: Name, path: string) =>
  Command.make(
    name,
    {
      ...connection,
      project,
      title: Argument.String("title").pipe(Argument.withDescription("The title")),
      ...fields,
      blockedBy: text("blocked-by", "An issue that must be resolved first"),
    },
    lazily(() => changes().then(({ create }) => create)),
  ).pipe(
    described("Create an issue, and print its key"),
    example(
      `${path} --project shop --agent agent-1 "Mend the roof"`,
      "Create an issue for an agent",
    ),
  );

const plan = Command.make(
  "plan",
  {
    ...connection,
    project,
    file: Argument.String("file").pipe(
      Argument.withDescription(
        'A JSON file, {"issues": [{"ref", "title", "blockedBy", ...}]}; - is stdin',
      ),
    ),
  },
  lazily(() => changes().then(({ plan }) => plan)),
).pipe(
  described("Create all issues of a plan or none, and print the key of each"),
  example("issue plan --project shop plan.json", "Create issues that depend on each other"),
);

const edit = Command.make(
  "edit",
  { ...connection, issue, title: text("title", "The title"), ...fields },
  lazily(() => changes().then(({ edit }) => edit)),
).pipe(
  described("Change fields of an issue"),
  example("issue edit SHOP-142 --priority high", "Change the priority"),
);

const move = Command.make(
  "move",
  {
    ...connection,
    issue,
    to: Argument.String("project").pipe(Argument.withDescription("The id of the project")),
  },
  lazily(() => changes().then(({ move }) => move)),
).pipe(
  described("Move an issue to another project. Its earlier keys keep working"),
  example("issue move SHOP-142 ops", "Move an issue"),
);

const comment = Command.make(
  "comment",
  {
    ...connection,
    issue,
    content: Argument.String("content").pipe(
      Argument.withDescription("The comment. Default: -, which reads stdin"),
      Argument.withDefault("-"),
    ),
  },
  lazily(() => changes().then(({ comment }) => comment)),
).pipe(
  described("Comment on an issue"),
  example('issue comment SHOP-142 "By Friday."', "Comment on an issue"),
);

const attach = Command.make(
  "attach",
  {
    ...connection,
    issue,
    file: Argument.String("file").pipe(Argument.withDescription("The file; - is stdin")),
    name: text("name", "The name of the attachment. Default: the name of the file"),
    type: text("type", "The media type. Default: application/octet-stream"),
  },
  lazily(() => import("./IssueFiles.ts").then(({ attach }) => attach)),
).pipe(
  described("Attach a file to an issue, and print the id of the attachment"),
  example("issue attach SHOP-142 report.pdf --type application/pdf", "Attach a file"),
);

const link = Command.make(
  "link",
  {
    ...connection,
    issue,
    type: Argument.Literals("type", ["blocked-by", "blocks", "related-to", "duplicate-of"]).pipe(
      Argument.withDescription("The relation of the first issue to the other issue"),
    ),
    target: Argument.String("other").pipe(
      Argument.withDescription("The key or id of the other issue"),
    ),
  },
  lazily(() => changes().then(({ link }) => link)),
).pipe(
  described("Link two issues"),
  example("issue link SHOP-142 blocked-by SHOP-96", "Resolve the second issue first"),
);

const unlink = Command.make(
  "unlink",
  {
    ...connection,
    link: Argument.String("link").pipe(
      Argument.withDescription("The id of the link, lnk_..., as `issue show` prints it"),
    ),
  },
  lazily(() => changes().then(({ unlink }) => unlink)),
).pipe(
  described("Remove a link"),
  example("issue unlink lnk_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", "Remove a link"),
);

const pause = Command.make(
  "pause",
  { ...connection, issue },
  lazily(() => changes().then(({ pause }) => pause)),
).pipe(
  described("Pause an issue in progress", "Its agent stops."),
  example("issue pause SHOP-142", "Pause an issue"),
);

const resume = Command.make(
  "resume",
  { ...connection, issue },
  lazily(() => changes().then(({ resume }) => resume)),
).pipe(described("Resume a paused issue"), example("issue resume SHOP-142", "Resume an issue"));

const review = Command.make(
  "review",
  { ...connection, issue },
  lazily(() => changes().then(({ review }) => review)),
).pipe(
  described("Hand an issue in for review"),
  example("issue review SHOP-142", "Hand an issue in for review"),
);

const resolve = Command.make(
  "resolve",
  { ...connection, issue },
  lazily(() => changes().then(({ resolve }) => resolve)),
).pipe(
  described("Resolve an issue", "Issues that it was the last to block become open."),
  example("issue resolve SHOP-142", "Resolve an issue"),
);

const close = Command.make(
  "close",
  {
    ...connection,
    issue,
    force: Flag.Boolean("force").pipe(
      Flag.withDescription("Close it although open issues depend on it"),
      Flag.withDefault(false),
    ),
  },
  lazily(() => changes().then(({ close }) => close)),
).pipe(
  described("Close an issue without doing it"),
  example("issue close SHOP-142 --force", "Close an issue that other issues depend on"),
);

const remove = Command.make(
  "delete",
  {
    ...connection,
    issue,
    yes: Flag.Boolean("yes").pipe(
      Flag.withDescription("Confirm that comments, attachments and timeline are deleted"),
      Flag.withDefault(false),
    ),
  },
  lazily(() => changes().then(({ remove }) => remove)),
).pipe(
  described("Permanently delete an issue with its comments, attachments and timeline"),
  example("issue delete SHOP-142 --yes", "Delete an issue"),
);

export const short = createAs("new", "new");

export const commands = [
  createAs("create", "issue create").pipe(newAlias),
  plan,
  edit,
  move,
  comment,
  attach,
  link,
  unlink,
  pause,
  resume,
  review,
  resolve,
  close,
  remove,
] as const;
