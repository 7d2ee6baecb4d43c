import type { Answer } from "./Answer.ts";
import { agentCount, type Command } from "./Command.ts";
import { liveRun, type Model } from "./Model.ts";
import * as Issues from "./ModelIssues.ts";
import * as Links from "./ModelLinks.ts";
import * as Pauses from "./ModelPauses.ts";
import * as Runs from "./ModelRuns.ts";

type Timeless = Exclude<Command, { readonly _tag: "wait" }>;
/** Adds the issue's version. */
type Versioned<C> = C extends { readonly match: string } ? C & { readonly version: number } : C;
/** Adds the run of the call; null stands for no run. */
type Acting<C> = C extends { readonly acts: string } ? C & { readonly run: number | null } : C;
type Named<C> = C extends { readonly _tag: "heartbeat" }
  ? Omit<C, "runs"> & { readonly runs: ReadonlyArray<number> }
  : C extends { readonly foreign: boolean }
    ? C & { readonly agent: number }
    : C;

/** A command whose numbers are resolved to created objects, or to none if there are none. */
export type Request = Named<Acting<Versioned<Timeless>>>;

const round = (n: number, made: number): number => (made === 0 ? -1 : n % made);

/**
 * Selects a target: usually one that the command applies to, otherwise any that was ever created.
 */
const aim = (n: number, made: number, apt: ReadonlyArray<{ readonly n: number }>): number =>
  (n < 9 ? apt[round(n, apt.length)]?.n : undefined) ?? round(n, made);

const aptFor = (model: Model, tag: Command["_tag"]): ReadonlyArray<{ readonly n: number }> => {
  const issues = [...model.issues.values()];
  if (tag === "pause") return issues.filter(({ status }) => status === "InProgress");
  if (tag === "resume") return issues.filter(({ because }) => because !== null);
  if (tag === "comment") return issues.filter(({ n }) => liveRun(model, n) !== undefined);
  return issues;
};

/** Resolves a command in the current state. */
export const requestOf = (model: Model, command: Timeless): Request => {
  const issueOf = (n: number) => aim(n, model.made.issues, aptFor(model, command._tag));
  const runOf = (command: { readonly run: number; readonly foreign: boolean }) => {
    const live = [...model.runs.values()].filter(({ state }) => state !== "ended");
    const run = aim(command.run, model.runs.size, live);
    const owner = model.runs.get(run)?.agent ?? 0;
    return { run, agent: command.foreign && command.run > 6 ? (owner + 1) % agentCount : owner };
  };
  const newest = ({ acts }: { readonly acts: string }) =>
    acts === "newest" ? ([...model.runs.values()].at(-1)?.n ?? null) : null;
  const newestOf = (issue: number, { acts, by }: Extract<Timeless, { by: unknown }>) =>
    [...model.runs.values()].findLast(
      (run) => run.issue === issue && run.agent === by && acts === "newest",
    )?.n ?? null;
  switch (command._tag) {
    case "create": {
      const blocker = command.blocker === null ? null : issueOf(command.blocker);
      return { ...command, blocker, run: newest(command) };
    }
    case "link": {
      const [issue, target] = [issueOf(command.issue), issueOf(command.target)];
      return { ...command, issue, target, run: newest(command) };
    }
    case "unlink": {
      const link = aim(command.link, model.made.links, [...model.links.values()]);
      return { ...command, link, run: newest(command) };
    }
    case "comment": {
      const issue = issueOf(command.issue);
      return { ...command, issue, run: newestOf(issue, command) };
    }
    case "suspend":
      return command;
    case "heartbeat": {
      const runs = Runs.named(model, command.agent, command.runs);
      return { ...command, runs: runs.map(({ n }) => n) };
    }
    case "turn":
    case "finish":
      return { ...command, ...runOf(command) };
    default: {
      const issue = issueOf(command.issue);
      const run = newestOf(issue, command);
      return { ...command, issue, run, version: model.issues.get(issue)?.version ?? 0 };
    }
  }
};

/** Returns the contract's response, and applies the request to the model. */
export const predict = (model: Model, request: Request): Answer => {
  model.moves = [];
  switch (request._tag) {
    case "create":
      return Issues.create(model, request);
    case "update":
      return Issues.update(model, request);
    case "close":
      return Issues.close(model, request);
    case "pause":
      return Issues.pause(model, request);
    case "resume":
      return Issues.resume(model, request);
    case "remove":
      return Issues.remove(model, request);
    case "comment":
      return Issues.comment(model, request);
    case "link":
      return Links.link(model, request);
    case "unlink":
      return Links.unlink(model, request);
    case "heartbeat":
      return Runs.heartbeat(model, request);
    case "turn":
      return Runs.turn(model, request);
    case "finish":
      return Runs.finish(model, request);
    case "suspend":
      return Pauses.suspend(model, request);
  }
};
