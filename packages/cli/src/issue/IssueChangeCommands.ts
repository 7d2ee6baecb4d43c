import { Argument, Command, Flag } from "effect/cli";
import { connection, example, issue, lazily, text } from "../Options.ts";
import { label, priority, project } from "./IssueFlags.ts";

/** The commands that change issues. Their code is in `IssueChanges.ts` and `IssueFiles.ts`. */

const changes = () => import("./IssueChanges.ts");

const fields = {
  description: text("description", "The description; - reads it from stdin"),
  priority,
  agent: text("agent", "The agent that executes the issue"),
  assignee: text("assignee", "The user who owns or reviews the issue"),
  goal: text("goal", "The goal that the issue serves"),
  label: label("A label; they replace all labels, and none removes them"),
  metadata: Flag.String("meta").pipe(
    Flag.withDescription(
      "KEY=TEXT of the metadata; they replace all of it, and none removes it; repeatable",
    ),
    Flag.atLeast(0),
  ),
  externalRef: text("external-ref", "The issue's id in another system, or none"),
  notBefore: text(
    "not-before",
    "No heartbeat starts the issue before this time: 2h from now, ISO 8601, or none",
  ),
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
).pipe(
  Command.withDescription("Create an issue, and print its id."),
  example(
    'issue create --project shop --agent agent-1 "Mend the roof"',
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
  Command.withDescription("Create the issues of a plan, all or none, and print the id of each."),
  example("issue plan --project shop plan.json", "Create issues that wait for each other"),
);

const edit = Command.make(
  "edit",
  { ...connection, issue, title: text("title", "The title"), ...fields },
  lazily(() => changes().then(({ edit }) => edit)),
).pipe(
  Command.withDescription("Change fields of an issue."),
  example("issue edit iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA --priority high", "Change the priority"),
);

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
).pipe(
  Command.withDescription("Comment on an issue."),
  example('issue comment iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA "By Friday."', "Comment on an issue"),
);

const attach = Command.make(
  "attach",
  {
    ...connection,
    issue,
    file: Argument.String("file").pipe(Argument.withDescription("The file; - is stdin")),
    name: text("name", "The name of the attachment (the file's)"),
    type: text("type", "The media type (application/octet-stream)"),
  },
  lazily(() => import("./IssueFiles.ts").then(({ attach }) => attach)),
).pipe(
  Command.withDescription("Attach a file to an issue, and print the id of the attachment."),
  example(
    "issue attach iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA report.pdf --type application/pdf",
    "Attach a file",
  ),
);

const link = Command.make(
  "link",
  {
    ...connection,
    issue,
    type: Argument.Literals("type", ["blocked-by", "blocks", "related-to", "duplicate-of"]).pipe(
      Argument.withDescription(
        "How the issue relates to the other one: blocked-by, blocks, related-to or duplicate-of",
      ),
    ),
    target: Argument.String("other").pipe(Argument.withDescription("The id of the other issue")),
  },
  lazily(() => changes().then(({ link }) => link)),
).pipe(
  Command.withDescription("Link two issues: `issue link iss_1 blocked-by iss_2`."),
  example(
    "issue link iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA blocked-by iss_01JD8Q80M4T6E2X9V7N3B5C1QD",
    "The second issue has to be resolved first",
  ),
);

const unlink = Command.make(
  "unlink",
  {
    ...connection,
    link: Argument.String("link").pipe(
      Argument.withDescription("The id of the link, lnk_..., which `issue show` prints"),
    ),
  },
  lazily(() => changes().then(({ unlink }) => unlink)),
).pipe(
  Command.withDescription("Remove a link."),
  example("issue unlink lnk_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", "Remove a link"),
);

const pause = Command.make(
  "pause",
  { ...connection, issue },
  lazily(() => changes().then(({ pause }) => pause)),
).pipe(
  Command.withDescription("Pause an issue that is in progress: its agent stops."),
  example("issue pause iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", "Pause an issue"),
);

const resume = Command.make(
  "resume",
  { ...connection, issue },
  lazily(() => changes().then(({ resume }) => resume)),
).pipe(
  Command.withDescription("Resume a paused issue."),
  example("issue resume iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", "Resume an issue"),
);

const review = Command.make(
  "review",
  { ...connection, issue },
  lazily(() => changes().then(({ review }) => review)),
).pipe(
  Command.withDescription("Hand an issue in for review."),
  example("issue review iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", "Hand an issue in for review"),
);

const resolve = Command.make(
  "resolve",
  { ...connection, issue },
  lazily(() => changes().then(({ resolve }) => resolve)),
).pipe(
  Command.withDescription("Resolve an issue: its dependents become open."),
  example("issue resolve iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", "Resolve an issue"),
);

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
).pipe(
  Command.withDescription("Close an issue that is not to be done."),
  example(
    "issue close iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA --force",
    "Close an issue that others wait for",
  ),
);

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
).pipe(
  Command.withDescription("Delete an issue with everything that belongs to it."),
  example("issue delete iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA --yes", "Delete an issue"),
);

export const commands = [
  create,
  plan,
  edit,
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
