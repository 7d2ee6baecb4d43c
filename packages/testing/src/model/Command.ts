import { Issue, IssueLink, Run } from "@quartermaster/core";
import { Arbitrary, Schema } from "effect";

/**
 * Random commands to the service. Numbers refer to created objects: issue 3 is the fourth one,
 * modulo the number of issues.
 */

export const agentCount = 3;

/** Literals, because generated integers are biased toward the ends of their range. */
const numberUpTo = (last: number) => Schema.Literals(Array.from({ length: last + 1 }, (_, n) => n));
const Agent = numberUpTo(agentCount - 1);
const Made = numberUpTo(11);
/** The version in `If-Match`: usually any, otherwise the current one or one that does not exist. */
const Match = Schema.Literals(["any", "any", "any", "any", "present", "stale"]);

/** The calling agent; null for a user. */
const By = Schema.NullOr(Agent);
/** The run of an agent's call: none, or the agent's newest run of the issue, usually a live one. */
const Acts = Schema.Literals(["none", "newest", "newest"]);
const caller = { by: By, acts: Acts };
/** The run of a user's call: usually none, otherwise the newest run of all. */
const actsAtTimes = { acts: Schema.Literals(["none", "none", "none", "newest"]) };

const Create = Schema.TaggedStruct("create", {
  blocker: Schema.NullOr(Made),
  agent: Schema.NullOr(Agent),
  priority: Issue.IssuePriority,
  ...actsAtTimes,
});
const Update = Schema.TaggedStruct("update", {
  issue: Made,
  match: Match,
  ...caller,
  status: Schema.optionalKey(Issue.IssueStatus),
  agent: Schema.optionalKey(Schema.NullOr(Agent)),
  priority: Schema.optionalKey(Issue.IssuePriority),
  defer: Schema.optionalKey(Schema.NullOr(Schema.Literals([-10, 30]))),
});
const Close = Schema.TaggedStruct("close", {
  issue: Made,
  match: Match,
  ...caller,
  force: Schema.Boolean,
});
const Pause = Schema.TaggedStruct("pause", { issue: Made, match: Match, ...caller });
const Resume = Schema.TaggedStruct("resume", { issue: Made, match: Match, ...caller });
const Remove = Schema.TaggedStruct("remove", { issue: Made, match: Match, ...caller });
const Link = Schema.TaggedStruct("link", {
  issue: Made,
  target: Made,
  linkType: IssueLink.LinkType,
  ...actsAtTimes,
});
const Unlink = Schema.TaggedStruct("unlink", { link: Made, ...actsAtTimes });
const Comment = Schema.TaggedStruct("comment", { issue: Made, ...caller });
const Heartbeat = Schema.TaggedStruct("heartbeat", {
  agent: Agent,
  capacity: numberUpTo(3),
  leaseSeconds: Schema.Literals([30, 300]),
  runs: Schema.Literals(["own", "none", "all"]),
});
const Turn = Schema.TaggedStruct("turn", { run: Made, foreign: Schema.Boolean });
const Finish = Schema.TaggedStruct("finish", {
  run: Made,
  foreign: Schema.Boolean,
  outcome: Run.RunOutcome,
  comment: Schema.Boolean,
  later: Schema.Boolean,
});
/** Pauses or resumes an agent, or the project if `agent` is null. */
const Suspend = Schema.TaggedStruct("suspend", {
  agent: Schema.NullOr(Agent),
  paused: Schema.Literals([true, false, false]),
});
const Wait = Schema.TaggedStruct("wait", { seconds: Schema.Literals([1, 20, 40, 250, 700]) });

export const Command = Schema.Union([
  Create,
  Update,
  Close,
  Pause,
  Resume,
  Remove,
  Link,
  Unlink,
  Comment,
  Heartbeat,
  Turn,
  Finish,
  Suspend,
  Wait,
]);
export type Command = typeof Command.Type;

/** The weight of each command, chosen so that there is usually something to work on. */
const weighted: ReadonlyArray<readonly [number, Schema.Schema<Command>]> = [
  [1, Create],
  [9, Update],
  [3, Close],
  [4, Pause],
  [4, Resume],
  [1, Remove],
  [7, Link],
  [2, Unlink],
  [2, Comment],
  [8, Heartbeat],
  [4, Turn],
  [5, Finish],
  [3, Suspend],
  [2, Wait],
];

const deck = weighted.flatMap(([weight, schema]) =>
  Array.from({ length: weight }, () => Arbitrary.schema(schema)),
);

const anyCommand: Arbitrary.Arbitrary<Command> = Arbitrary.flatMap(
  Arbitrary.schema(numberUpTo(deck.length - 1)),
  (card) => deck[card] ?? Arbitrary.schema(Wait),
);

/** The first commands of every program, which create something to work on. */
const prologue: ReadonlyArray<Command> = [0, 1, 2, 0, null].map((agent) => ({
  _tag: "create",
  blocker: null,
  agent,
  priority: "normal",
  acts: "none",
}));

const parts = 4;

/**
 * Programs of `steps` commands on average and at most twice as many. They consist of parts, because
 * a single generated list is usually short.
 */
export const programs = (steps: number): Arbitrary.Arbitrary<ReadonlyArray<Command>> => {
  const part = Arbitrary.array(anyCommand, { maxLength: Math.ceil((2 * steps) / parts) });
  return Arbitrary.map(Arbitrary.all(Array.from({ length: parts }, () => part)), (drawn) => [
    ...prologue,
    ...drawn.flat(),
  ]);
};
