import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { type Issue, scene } from "./WorkScene.ts";

/** A scene with a repository that has one commit. */
const repository = async () => {
  const parts = await scene();
  const folder = join(parts.folder, "shop");
  await mkdir(join(folder, "web"), { recursive: true });
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" }).trim();
  git("init", "-q", "-b", "trunk");
  git("config", "user.name", "bot");
  git("config", "user.email", "bot@example.com");
  await writeFile(join(folder, "web", "page"), "first\n");
  git("add", "-A");
  git("commit", "-qm", "first");
  const worktree = ({ id }: Issue) => join(parts.folder, "shop.worktrees", id);
  return { ...parts, folder, git, worktree };
};

describe("quartermaster work", { timeout: 90_000 }, () => {
  it("[runner.worktree] issues at the same time work on branches of their own, and the next attempt goes on there", async () => {
    const { assigned, call, env, folder, get, git, run, worktree, write } = await repository();
    const issues = [await assigned("one"), await assigned("two")];
    const script = await write(
      'echo "$QM_ISSUE_ID" >> page && pwd && git commit -qam "$QM_ISSUE_ID"',
    );
    const args = ["work", "--once", "--worktree", "--concurrency", "2", "--directory"];
    const work = () => run([...args, join(folder, "web"), "--", script], env);
    const first = await work();
    assert.strictEqual(first.code, 0, first.stderr);
    for (const issue of issues) {
      assert.strictEqual((await get(issue))["status"], "PendingReview");
      const page = await readFile(join(worktree(issue), "web", "page"), "utf8");
      assert.strictEqual(page, `first\n${issue.id}\n`);
      assert.strictEqual(git("log", "-1", "--format=%s", `qm/${issue.id}`), issue.id);
    }
    assert.strictEqual(git("status", "--porcelain"), "");
    assert.strictEqual(git("branch", "--show-current"), "trunk");
    const [again] = issues;
    await call("PUT", `/api/projects/issues/${again?.id}`, { body: { status: "Open" } });
    await work();
    assert.strictEqual(git("rev-list", "--count", `qm/${again?.id}`), "3");
  });

  it("[runner.worktree] the folder of the worktrees may follow after a space, or after =", async () => {
    const { assigned, call, env, folder, run, write } = await repository();
    const issue = await assigned("one");
    const script = await write("pwd");
    const trees = join(folder, "..", "trees");
    for (const option of [["--worktree", trees], [`--worktree=${trees}`]]) {
      await call("PUT", `/api/projects/issues/${issue.id}`, { body: { status: "Open" } });
      const args = ["work", "--once", ...option, "--directory", folder, "--", script];
      const { code, stderr } = await run(args, env);
      assert.strictEqual(code, 0, stderr);
      assert.include(stderr, join(trees, issue.id));
    }
    const last = await run(["work", "--once", "--directory", folder, "--worktree", trees], env);
    assert.include(last.stderr, "Name the command after --");
  });

  it("[runner.worktree.done] a worktree goes with its issue, unless work is only there", async () => {
    const { assigned, call, env, folder, git, run, worktree, write } = await repository();
    const issues = [
      await assigned("merged"),
      await assigned("alone"),
      await assigned("dirty"),
      await assigned("open"),
    ];
    const [merged, alone, dirty, open] = issues as [Issue, Issue, Issue, Issue];
    const script = await write(
      'case "$(head -n 1)" in *dirty*) echo more >> web/page;; *) echo more > "$QM_ISSUE_ID"; git add -A; git commit -qm more;; esac',
    );
    const args = ["--directory", folder];
    const once = ["work", "--once", "--worktree", "--concurrency", "4", ...args, "--", script];
    assert.strictEqual((await run(once, env)).code, 0);
    git("merge", "-q", `qm/${merged.id}`);
    for (const { id } of [merged, alone, dirty]) {
      await call("PUT", `/api/projects/issues/${id}`, { body: { status: "Resolved" } });
    }
    const { code, stdout } = await run(["work", "--worktrees", ...args], env);
    assert.strictEqual(code, 0);
    assert.sameMembers(stdout.trim().split("\n"), [
      `${alone.id}\t${worktree(alone)}\thas commits that are only on qm/${alone.id}`,
      `${dirty.id}\t${worktree(dirty)}\thas changes that are not committed`,
      `${open.id}\t${worktree(open)}\tis PendingReview`,
    ]);
    assert.isFalse(existsSync(worktree(merged)));
    assert.include(git("branch", "--list"), `qm/${merged.id}`);
    // The runner also removes them.
    git("merge", "-q", `qm/${alone.id}`);
    await run(once, env);
    assert.isFalse(existsSync(worktree(alone)));
    assert.isTrue(existsSync(worktree(dirty)));
  });

  it("[runner.worktree.killed] a worktree that git did not finish is made again, and the lock of a killed git command is removed", async () => {
    const { assigned, call, env, folder, get, git, run, worktree, write } = await repository();
    const issue = await assigned("one");
    const path = worktree(issue);
    git(
      "worktree",
      "add",
      "-q",
      "--lock",
      "--reason",
      "initializing",
      "-b",
      `qm/${issue.id}`,
      path,
    );
    await rm(join(path, "web"), { recursive: true });
    const gitFolder = join(folder, ".git/worktrees", issue.id);
    await writeFile(join(gitFolder, "index.lock"), "");
    const script = await write('echo "$QM_RUN_ID" >> web/page && git commit -qam more');
    const work = () =>
      run(["work", "--once", "--worktree", "--directory", folder, "--", script], env);
    const first = await work();
    assert.strictEqual(first.code, 0, first.stderr);
    assert.strictEqual(git("rev-list", "--count", `qm/${issue.id}`), "2");
    const lock = join(gitFolder, "index.lock");
    await writeFile(lock, "");
    await utimes(lock, 0, 0);
    await call("PUT", `/api/projects/issues/${issue.id}`, { body: { status: "Open" } });
    const second = await work();
    assert.strictEqual(second.code, 0, second.stderr);
    assert.strictEqual((await get(issue))["status"], "PendingReview");
    assert.strictEqual(git("rev-list", "--count", `qm/${issue.id}`), "3");
  });

  it("[runner.worktree.refused] without a repository or a commit the runner exits with 1 before it starts an issue", async () => {
    const { assigned, env, folder, get, run, write } = await scene();
    const issue = await assigned("one");
    const script = await write("exit 0");
    const empty = join(folder, "empty");
    await mkdir(empty);
    const work = () =>
      run(["work", "--once", "--worktree", "--directory", empty, "--", script], env);
    const outside = await work();
    assert.deepStrictEqual([outside.code, (await get(issue))["status"]], [1, "Open"]);
    assert.include(outside.stderr, "needs a git repository");
    execFileSync("git", ["-C", empty, "init", "-q"]);
    const bare = await work();
    assert.deepStrictEqual([bare.code, (await get(issue))["status"]], [1, "Open"]);
    assert.include(bare.stderr, "needs a commit");
  });
});
