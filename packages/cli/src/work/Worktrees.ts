import { basename, dirname, join, relative, resolve } from "node:path";
import type { Issue } from "@quartermaster/client";
import { Clock, Console, Effect, FileSystem, Option, Semaphore } from "effect";
import * as Api from "../Api.ts";
import { type CommandError, usage } from "../CommandError.ts";
import * as Output from "../Output.ts";
import * as Git from "./Git.ts";
import type * as Subprocess from "./Subprocess.ts";

/**
 * A git worktree for each issue, so that commands that run at the same time do not share files. A worktree is on the
 * branch `qm/<id of the issue>`, and stays for the next attempt:
 *
 * none ─ a run starts ─► in use ─ the issue is resolved or closed, everything is committed, and each commit is on another
 *                         branch or was pushed ─► removed; its branch stays
 */

const prefix = "qm/";

export interface Worktree {
  readonly path: string;
  readonly branch: string;
  readonly issueId: string;
}

/** The reason why a worktree stays. */
export type Remaining = Worktree & { readonly reason: string };

export interface Worktrees {
  /** Returns the folder in which the command works on the issue: a new worktree, or the one of an earlier run. */
  readonly folderFor: (issueId: string) => Effect.Effect<string, CommandError>;
  /** Removes the worktrees that are no longer needed, and returns the others. */
  readonly removeDone: Effect.Effect<ReadonlyArray<Remaining>>;
}

const failed = (what: string, { stderr }: Subprocess.Ended) =>
  usage(`${what}: ${Output.cell(stderr.trim().slice(0, 500))}`);

/** A worktree of the repository, of an issue or not. */
interface Listed {
  readonly path: string;
  readonly branch: string | null;
  /** Whether it was not created completely: git was killed. No command has worked in it. */
  readonly isUnfinished: boolean;
}

/** The worktrees from `git worktree list --porcelain -z`. */
const parse = (text: string): ReadonlyArray<Listed> =>
  text.split("\0\0").flatMap((entry) => {
    const fields = new Map(
      entry.split("\0").map((line) => {
        const [name = "", ...rest] = line.split(" ");
        return [name, rest.join(" ")] as const;
      }),
    );
    const path = fields.get("worktree");
    const branch = fields.get("branch")?.replace("refs/heads/", "") ?? null;
    return path === undefined
      ? []
      : [{ path, branch, isUnfinished: fields.get("locked") === "initializing" }];
  });

const ofIssues = (worktrees: ReadonlyArray<Listed>): ReadonlyArray<Worktree> =>
  worktrees.flatMap(({ branch, path }) =>
    branch?.startsWith(prefix) === true
      ? [{ path, branch, issueId: branch.slice(prefix.length) }]
      : [],
  );

/** The age in milliseconds from which a lock of git was left by a command that was killed. */
const staleMillis = 10_000;

const isDone = ({ status }: Issue) => status === "Resolved" || status === "Closed";

/** The reason from git why a worktree stays; null if everything in it also exists elsewhere. */
const unsaved = Effect.fnUntraced(function* ({ branch, path }: Worktree) {
  const changes = yield* Git.output(path, ["status", "--porcelain"]);
  if (changes === null) return "git cannot read it";
  if (changes !== "") return "has changes that are not committed";
  const others = [`--exclude=${branch}`, "--branches", "--remotes"];
  const commits = yield* Git.output(path, ["rev-list", "--count", branch, "--not", ...others]);
  return commits === "0" ? null : `has commits that are only on ${branch}`;
});

/** The worktrees of the repository of `folder`. Fails without git, a repository or a commit. */
export const make = Effect.fnUntraced(function* (
  caller: { readonly access: Api.Access },
  folder: string,
  under: string | null,
): Effect.fn.Return<Worktrees, CommandError, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem;
  const version = yield* Git.run(folder, ["--version"]);
  if (version.code === -1) return yield* usage("--worktree needs git, which cannot be started.");
  const top = yield* Git.output(folder, ["rev-parse", "--show-toplevel"]);
  if (top === null)
    return yield* usage(`--worktree needs a git repository. ${folder} is not in one.`);
  if ((yield* Git.output(top, ["rev-parse", "--verify", "HEAD"])) === null) {
    return yield* usage("--worktree needs a commit to start from. The repository has none.");
  }
  const parent = resolve(under ?? join(dirname(top), `${basename(top)}.worktrees`));
  const inside = relative(top, resolve(folder));
  // Git commands that change worktrees take turns, because they lock the same files.
  const { withPermit } = Semaphore.makeUnsafe(1);

  const list = Effect.map(Git.output(top, ["worktree", "list", "--porcelain", "-z"]), (text) =>
    parse(text ?? ""),
  );

  /** Removes a worktree that git did not finish, so that it can be added again. */
  const discard = Effect.fnUntraced(function* ({ path }: Listed) {
    yield* Git.run(top, ["worktree", "unlock", path]);
    yield* Effect.ignore(fs.remove(path, { recursive: true, force: true }));
  });

  /** Removes the lock of a git command that was killed with its run. No other run works on the issue now. */
  const unlock = Effect.fnUntraced(function* (path: string) {
    const lock = yield* Git.output(path, ["rev-parse", "--git-path", "index.lock"]);
    if (lock === null) return;
    const file = resolve(path, lock);
    const { mtime } = yield* fs.stat(file);
    const now = yield* Clock.currentTimeMillis;
    if (Option.isSome(mtime) && now - mtime.value.getTime() >= staleMillis) yield* fs.remove(file);
  });

  const add = Effect.fnUntraced(function* (issueId: string) {
    const branch = `${prefix}${issueId}`;
    const path = join(parent, issueId);
    const unfinished = (yield* list).find(
      (worktree) => worktree.isUnfinished && (worktree.path === path || worktree.branch === branch),
    );
    if (unfinished !== undefined) yield* discard(unfinished);
    // Forgets worktrees whose folders were deleted.
    yield* Git.run(top, ["worktree", "prune"]);
    const known = (yield* list).find((worktree) => worktree.branch === branch);
    if (known !== undefined) {
      yield* Effect.ignore(unlock(known.path));
      return join(known.path, inside);
    }
    const exists =
      (yield* Git.output(top, ["rev-parse", "--verify", `refs/heads/${branch}`])) !== null;
    const added = yield* Git.run(top, [
      "worktree",
      "add",
      ...(exists ? [path, branch] : ["-b", branch, path, "HEAD"]),
    ]);
    if (added.code !== 0) return yield* failed("The worktree cannot be added", added);
    return join(path, inside);
  });

  const reasonOf = Effect.fnUntraced(function* (worktree: Worktree) {
    const issue = yield* Effect.result(
      Api.call(caller.access, (client, options) =>
        client.issues.get({ issueId: worktree.issueId }, options),
      ),
    );
    if (issue._tag === "Failure") {
      return issue.failure.kind === "notFound" ? "belongs to no issue" : "its issue cannot be read";
    }
    return isDone(issue.success) ? yield* unsaved(worktree) : `is ${issue.success.status}`;
  });

  const removeDone = Effect.gen(function* () {
    const remaining: Array<Remaining> = [];
    for (const worktree of ofIssues(yield* list)) {
      const reason = yield* reasonOf(worktree);
      if (reason === null) {
        const removed = yield* Git.run(top, ["worktree", "remove", worktree.path]);
        if (removed.code === 0) continue;
      }
      remaining.push({ ...worktree, reason: reason ?? "cannot be removed" });
    }
    return remaining;
  });

  return {
    folderFor: (issueId) => withPermit(add(issueId)),
    removeDone: withPermit(removeDone),
  };
});

/** `quartermaster work --worktrees`. */
export const show = Effect.fnUntraced(function* (access: Api.Access, folder: string) {
  const { removeDone } = yield* make({ access }, folder, null);
  const remaining = yield* removeDone;
  if (remaining.length === 0) return yield* Console.error("There are no worktrees of issues.");
  yield* Output.list(
    false,
    remaining,
    ["ISSUE", "PATH", "REASON"],
    remaining.map(({ issueId, path, reason }) => [issueId, path, reason]),
  );
});
