import { readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { assertFields } from "../../http/test/support/Assert.ts";
import * as Hosts from "../src/work/hosts/Hosts.ts";
import { HostStream } from "../src/work/hosts/HostStream.ts";
import * as Limits from "../src/work/Limits.ts";
import { scene } from "./WorkScene.ts";

/** Recorded output: stdout, then stderr. The name has the host and its version. */
const folder = join(import.meta.dirname, "hosts");

const fixture = (name: string, kind: string) =>
  readdirSync(folder).find((file) => file.startsWith(`${name}-`) && file.endsWith(`.${kind}.txt`));

const read = (name: Hosts.Name, bytes: Buffer) => {
  let log = "";
  const sessions: Array<string> = [];
  const host = Hosts.forRun(name);
  const stream = new HostStream(
    host,
    (text) => (log += text),
    (session) => sessions.push(session),
  );
  // Chunks cut lines and characters.
  for (let at = 0; at < bytes.length; at += 7) stream.push(bytes.subarray(at, at + 7));
  stream.end();
  return { answer: stream.answer, failure: stream.failure, host, log, sessions };
};

const recorded = (name: Hosts.Name, kind: string) => {
  const file = fixture(name, kind);
  assert.isDefined(file, `${name} ${kind}`);
  return readFileSync(join(folder, file ?? ""));
};

describe("the streams of hosts", () => {
  for (const name of Hosts.names) {
    it(`[runner.hosts] ${name} reports its session, its tools and its final text`, () => {
      const { answer, failure, log, sessions } = read(name, recorded(name, "success"));
      assert.strictEqual(answer, "All done.\n\n- **one**\n- two");
      assert.isNull(failure);
      assert.lengthOf(sessions, 1);
      assert.match(log, /^> .*echo hello/m);
      assert.match(log, /^< .*hello/m);
      assert.include(log, "- **one**");
      assert.notInclude(log, '"type"');
    });

    it(`[runner.hosts] ${name} refuses a session that it does not have`, () => {
      const bytes = recorded(name, "refused");
      assert.match(bytes.toString("utf8"), Hosts.forRun(name).refusal);
    });

    it(`[runner.hosts] ${name}: unknown lines and events change nothing`, () => {
      const more = Buffer.from('no JSON\nnull\n7\n[]\n{"type":"new"}\n{"type":"item.completed"}\n');
      const { answer, log } = read(name, Buffer.concat([more, recorded(name, "success")]));
      assert.strictEqual(answer, "All done.\n\n- **one**\n- two");
      assert.include(log, "no JSON\n");
    });

    const kinds = ["limit", "login"].filter((kind) => fixture(name, kind) !== undefined);
    for (const kind of kinds) {
      it(`[runner.hosts] the recorded ${kind} of ${name} opens the breaker`, () => {
        const { failure, log } = read(name, recorded(name, kind));
        const limit = Limits.limitIn(`${log}\n${failure ?? ""}`, 0);
        assert.match(limit?.reason ?? "", kind === "limit" ? /usage limit/ : /not signed in/);
      });
    }
  }
});

describe("quartermaster work --with", { timeout: 90_000 }, () => {
  it("[runner.hosts] [runs.worker] a host's final text is the comment, and the next attempt continues its session or starts a new one", async () => {
    const { assigned, comments, env, folder: home, runs, call, start, write } = await scene();
    const issue = await assigned("For Codex");
    const script = await write(
      [
        'echo "$@" >> "$HOME/args"',
        "cat > /dev/null",
        `case "$*" in *" resume "*) echo "Error: thread/resume failed: no rollout" >&2; exit 1;; esac`,
        `cat '${join(folder, fixture("codex", "success") ?? "")}'`,
        'test -e "$HOME/second" || { touch "$HOME/second"; exit 1; }',
      ].join("\n"),
    );
    await writeFile(join(home, "codex"), `#!/bin/sh\nexec '${script}' "$@"\n`, { mode: 0o755 });
    const variables = { ...env, PATH: `${home}:${process.env["PATH"]}` };
    const first = start(["work", "--once", "--with", "codex", "--", "--full-auto"], variables);
    assert.strictEqual(await first.exited, 1, first.stderr);
    const [run] = await runs();
    assertFields(run?.["worker"] ?? {}, { host: /./, pid: first.child.pid });
    const { body } = await call(
      "GET",
      `/api/agents/bot/runs/${String(run?.["id"])}/log?stream=host`,
    );
    assert.include(JSON.stringify(body), "echo hello");

    const second = start(["work", "--once", "--with", "codex", "--", "--full-auto"], variables);
    assert.strictEqual(await second.exited, 0, second.stderr);
    assert.strictEqual((await comments(issue)).at(-1), "All done.\n\n- **one**\n- two");
    const lines = (await readFile(join(home, "args"), "utf8")).trim().split("\n");
    assert.lengthOf(lines, 3);
    assert.match(lines[1] ?? "", /--full-auto resume [0-9a-f-]{36} -$/);
    assert.match(lines[2] ?? "", /--full-auto -$/);
  });
});
