import { Argument, Command, Flag } from "effect/cli";
import { connection, issue, lazily, text } from "../Options.ts";

/** `quartermaster issue ...`. The code of the commands is in `IssueReads.ts` and `IssueChanges.ts`. */

const changes = () => import("./IssueChanges.ts");
const reads = () => import("./IssueReads.ts");

const statuses = [
  "Open",
  "InProgress",
  "WaitingOnDependency",
  "PendingReview",
  "Resolved",
  "Closed",
] as const;

const priorities = ["urgent", "high", "normal", "low"] as const;

const project = Flag.String("project").pipe(Flag.withDescription("The id of the project"));

const priority = Flag.Literals("priority", priorities).pipe(
  Flag.withDescription("How urgent it is"),
  Flag.optional,
);

const list = Command.make(
  "list",
  {
    ...connection,
    project,
    status: Flag.Literals("status", statuses).pipe(
      Flag.withDescription("Issues of this status"),
      Flag.optional,
    ),
    assignee: text("assignee", "Issues of this agent or user"),
    priority,
    query: text("query", "Words in title, description and comments"),
    limit: Flag.Int("limit").pipe(
      Flag.withDescription("How many at most (100)"),
      Flag.withDefault(100),
    ),
  },
  lazily(() => reads().then(({ list }) => list)),
).pipe(Command.withDescription("List the issues of a project, newest first."));

const show = Command.make(
  "show",
  { ...connection, issue },
  lazily(() => reads().then(({ show }) => show)),
).pipe(Command.withDescription("Print an issue with its links and newest comments."));

const why = Command.make(
  "why",
  { ...connection, issue },
  lazily(() => reads().then(({ why }) => why)),
).pipe(Command.withDescription("Print whether the next heartbeat starts the issue, and why not."));

const log = Command.make(
  "log",
  { ...connection, issue },
  lazily(() => reads().then(({ log }) => log)),
).pipe(Command.withDescription("Print the timeline of an issue, oldest first."));

const fields = {
  description: text("description", "The description; - reads it from stdin"),
  priority,
  agent: text("agent", "The agent that executes the issue"),
  assignee: text("assignee", "The user who owns or reviews the issue"),
  goal: text("goal", "The goal that the issue serves"),
  notBefore: text("not-before", "No heartbeat starts the issue before this time (ISO 8601)"),
};

const create = Command.make(
  "create",
  {
    ...connection,
    project,
    title: Argument.String("title").pipe(Argument.withDescription("The title")),
    ...fields,
    blockedBy: text("blocked-by", "An issue that has to be resolved first"),
  },
  lazily(() => changes().then(({ create }) => create)),
).pipe(Command.withDescription("Create an issue, and print its id."));

const edit = Command.make(
  "edit",
  { ...connection, issue, title: text("title", "The title"), ...fields },
  lazily(() => changes().then(({ edit }) => edit)),
).pipe(Command.withDescription("Change fields of an issue."));

const comment = Command.make(
  "comment",
  {
    ...connection,
    issue,
    content: Argument.String("content").pipe(
      Argument.withDescription("The comment; - or nothing reads it from stdin"),
      Argument.withDefault("-"),
    ),
  },
  lazily(() => changes().then(({ comment }) => comment)),
).pipe(Command.withDescription("Comment on an issue."));

const link = Command.make(
  "link",
  {
    ...connection,
    issue,
    type: Argument.Literals("type", ["blocked-by", "blocks", "related-to", "duplicate-of"]).pipe(
      Argument.withDescription("How the issue relates to the other one"),
    ),
    target: Argument.String("other").pipe(Argument.withDescription("The id of the other issue")),
  },
  lazily(() => changes().then(({ link }) => link)),
).pipe(Command.withDescription("Link two issues: `issue link iss_1 blocked-by iss_2`."));

const unlink = Command.make(
  "unlink",
  {
    ...connection,
    link: Argument.String("link").pipe(
      Argument.withDescription("The id of the link, lnk_..., which `issue show` prints"),
    ),
  },
  lazily(() => changes().then(({ unlink }) => unlink)),
).pipe(Command.withDescription("Remove a link."));

const pause = Command.make(
  "pause",
  { ...connection, issue },
  lazily(() => changes().then(({ pause }) => pause)),
).pipe(Command.withDescription("Pause an issue that is in progress: its agent stops."));

const resume = Command.make(
  "resume",
  { ...connection, issue },
  lazily(() => changes().then(({ resume }) => resume)),
).pipe(Command.withDescription("Resume a paused issue."));

const review = Command.make(
  "review",
  { ...connection, issue },
  lazily(() => changes().then(({ review }) => review)),
).pipe(Command.withDescription("Hand an issue in for review."));

const resolve = Command.make(
  "resolve",
  { ...connection, issue },
  lazily(() => changes().then(({ resolve }) => resolve)),
).pipe(Command.withDescription("Resolve an issue: its dependents become open."));

const close = Command.make(
  "close",
  {
    ...connection,
    issue,
    force: Flag.Boolean("force").pipe(
      Flag.withDescription("Also with open dependents"),
      Flag.withDefault(false),
    ),
  },
  lazily(() => changes().then(({ close }) => close)),
).pipe(Command.withDescription("Close an issue that is not to be done."));

const remove = Command.make(
  "delete",
  {
    ...connection,
    issue,
    yes: Flag.Boolean("yes").pipe(
      Flag.withDescription("Confirm that comments, attachments and timeline are deleted too"),
      Flag.withDefault(false),
    ),
  },
  lazily(() => changes().then(({ remove }) => remove)),
).pipe(Command.withDescription("Delete an issue with everything that belongs to it."));

export const command = Command.make("issue").pipe(
  Command.withDescription("List, create and change issues."),
  Command.withSubcommands([
    list,
    show,
    create,
    edit,
    comment,
    link,
    unlink,
    pause,
    resume,
    review,
    resolve,
    close,
    remove,
    why,
    log,
  ]),
);
