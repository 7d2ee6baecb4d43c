import { Argument, Command, Flag } from "effect/cli";
import {
  allProjects,
  connection,
  described,
  example,
  lazily,
  limit,
  listAlias,
  oneOf,
  text,
} from "../Options.ts";

/** `quartermaster ask ...`. The code of the commands is in `Questions.ts`. */

const questions = () => import("./Questions.ts");

const list = Command.make(
  "list",
  {
    ...connection,
    issue: Argument.String("issue").pipe(
      Argument.withDescription("Questions on this issue. Default: all open questions"),
      Argument.optional,
    ),
    project: Flag.String("project").pipe(
      Flag.withDescription(
        "Without an issue: only questions of this project; repeatable. Default: the project of `quartermaster use`",
      ),
      Flag.atLeast(0),
    ),
    allProjects,
    status: oneOf(
      "status",
      ["open", "answered", "expired", "withdrawn"],
      "With an issue: only questions of this status (default: all)",
    ).pipe(Flag.optional),
    limit,
  },
  lazily(() => questions().then(({ list }) => list)),
).pipe(
  listAlias,
  described(
    "List open questions, or the questions on an issue",
    "Open questions of all projects are listed most urgent first, questions on an issue oldest first.",
  ),
  example("ask list --project shop", "List the open questions of a project"),
);

const answer = Command.make(
  "answer",
  {
    ...connection,
    question: Argument.String("question").pipe(
      Argument.withDescription(
        "The id of the question, qst_..., or the key of an issue with one open question",
      ),
    ),
    answer: Argument.String("answer").pipe(
      Argument.withDescription(
        "The answer: text, one of the options, yes or no. Default: -, which reads stdin",
      ),
      Argument.withDefault("-"),
    ),
  },
  lazily(() => questions().then(({ answer }) => answer)),
).pipe(
  described("Answer a question", "Only people can answer: the server rejects an agent's key."),
  example('ask answer SHOP-142 "The left one"', "Answer the open question of an issue"),
);

export const command = Command.make(
  "ask",
  {
    ...connection,
    prompt: Argument.String("question").pipe(
      Argument.withDescription("The question; - reads it from stdin"),
    ),
    issue: text("issue", "The issue of the question. Default: QM_ISSUE_ID"),
    option: Flag.String("option").pipe(
      Flag.withDescription(
        "A possible answer; repeatable, 2 to 10. Without options, the answer is text",
      ),
      Flag.atLeast(0),
    ),
    confirm: Flag.Boolean("confirm").pipe(
      Flag.withDescription("Ask for yes or no"),
      Flag.withDefault(false),
    ),
    continue: Flag.Boolean("continue").pipe(
      Flag.withDescription("Agents may continue with the issue while the question is open"),
      Flag.withDefault(false),
    ),
  },
  lazily(() => questions().then(({ ask }) => ask)),
).pipe(
  described(
    "Ask a person a question about an issue",
    "Until it is answered, no agent picks the issue up. An agent that the runner started then exits with 0: its issue is released, and starts again with the answer.",
  ),
  example(
    'ask "Which side is the front?" --option left --option right',
    "Ask about the issue in QM_ISSUE_ID",
  ),
  Command.withSubcommands([list, answer]),
);
