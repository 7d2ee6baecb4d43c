import { createHash, randomBytes } from "node:crypto";
import { assert, describe, it, onTestFinished } from "@effect/vitest";
import { request } from "../../http/test/support/Client.ts";
import { Dice } from "./Dice.ts";
import * as Disk from "./Disk.ts";
import * as History from "./History.ts";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";
import * as Reader from "./Reader.ts";

/** The writes that the server acknowledged. */
class Acknowledged {
  readonly issues = new Map<string, string>();
  readonly closed = new Set<string>();
  readonly comments = new Map<string, { readonly issueId: string; readonly content: string }>();
  readonly links = new Map<string, string>();
  readonly attachments = new Map<string, { readonly issueId: string; readonly sha256: string }>();
  /** Ids with an unacknowledged removal: they may be stored or not. */
  readonly doubtful = new Set<string>();
  readonly removed = new Set<string>();

  get count(): number {
    return [this.issues, this.closed, this.comments, this.links, this.attachments, this.removed]
      .map(({ size }) => size)
      .reduce((sum, size) => sum + size, 0);
  }

  get ids(): ReadonlyArray<string> {
    return [this.issues, this.comments, this.links, this.attachments].flatMap((all) => [
      ...all.keys(),
    ]);
  }
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const at = (id: string, rest = "") => `/api/projects/issues/${id}${rest}`;

/** One write, and the note that it was acknowledged. */
const write = async ({ call }: Quartermaster, dice: Dice, kept: Acknowledged) => {
  const bodyOf = async (status: number, answer: ReturnType<typeof call>) => {
    const { body, status: actual, text } = await answer;
    assert.strictEqual(actual, status, text);
    return body;
  };
  const issueId = kept.issues.size === 0 ? undefined : dice.pick([...kept.issues.keys()]);
  const action = issueId === undefined ? 0 : dice.below(7);
  if (issueId === undefined || action < 2) {
    const title = `Issue ${dice.below(2 ** 32)}`;
    const path = "/api/projects/crash/issues";
    kept.issues.set((await bodyOf(201, call("POST", path, { body: { title } }))).id, title);
  } else if (action === 2) {
    const content = `Comment ${dice.below(2 ** 32)}`;
    const body = { content, authorType: "User" };
    const { id } = await bodyOf(201, call("POST", at(issueId, "/comments"), { body }));
    kept.comments.set(id, { issueId, content });
  } else if (action === 3) {
    const bytes = randomBytes(dice.below(200_000));
    const raw = new FormData();
    raw.append("file", new File([bytes], "file.bin"));
    const { id } = await bodyOf(201, call("POST", at(issueId, "/attachments"), { raw }));
    kept.attachments.set(id, { issueId, sha256: sha256(bytes) });
  } else if (action === 4) {
    const title = "A target";
    const path = "/api/projects/crash/issues";
    const target = await bodyOf(201, call("POST", path, { body: { title } }));
    kept.issues.set(target.id, title);
    const body = { targetIssueId: target.id, linkType: "RelatedTo" };
    const { id } = await bodyOf(201, call("POST", at(issueId, "/links"), { body }));
    kept.links.set(id, issueId);
  } else if (action === 5) {
    await bodyOf(204, call("POST", at(issueId, "/close?force=true")));
    kept.closed.add(issueId);
  } else {
    const id = [...kept.attachments.keys()].find((one) => !kept.doubtful.has(one));
    if (id === undefined) return;
    kept.doubtful.add(id);
    await bodyOf(204, call("DELETE", `/api/projects/attachments/${id}`));
    kept.removed.add(id);
  }
};

/** Writes with many concurrent clients, and kills the node once `writes` are acknowledged. */
const load = async (node: Quartermaster, dice: Dice, kept: Acknowledged, writes: number) => {
  const until = kept.count + writes;
  let isDead = false;
  const client = async (own: Dice) => {
    while (!isDead) {
      try {
        await write(node, own, kept);
      } catch (error) {
        // Writes in flight when the process died were not acknowledged.
        if (!isDead || (error instanceof Error && error.name === "AssertionError")) throw error;
      }
      if (kept.count >= until && !isDead) {
        isDead = true;
        node.child.kill("SIGKILL");
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, () => client(dice.split())));
  assert.deepStrictEqual(await node.exited, { code: null, signal: "SIGKILL" });
};

interface Item {
  readonly id: string;
  readonly content: string;
  readonly sha256: string;
  readonly downloadUrl: string;
}

const check = async (node: Quartermaster, folder: string, kept: Acknowledged, since: string) => {
  const hearing = await Reader.listen(node, since);
  const end = await Reader.mark(node);
  const events = await hearing.until(end);
  const mine = events.filter(({ projectId }) => projectId === "crash");
  const created = new Map([...kept.issues.keys()].map((id) => [id, null]));
  const issues = await History.compare(node, "crash", mine, created);
  const byId = new Map(issues.map((issue) => [issue.id, issue]));
  for (const id of kept.issues.keys()) assert.isTrue(byId.has(id), `${id} is lost`);
  for (const id of kept.closed) assert.strictEqual(byId.get(id)?.status, "Closed", id);

  const found = new Map<string, Item>();
  const attached = new Map<string, Item>();
  for (const { id } of issues) {
    for (const list of ["comments", "links", "attachments"]) {
      for (const item of await Reader.everything<Item>(node, at(id, `/${list}`))) {
        found.set(item.id, item);
        if (list === "attachments") attached.set(item.id, item);
      }
    }
  }
  for (const [id, { content }] of kept.comments)
    assert.strictEqual(found.get(id)?.content, content);
  for (const id of kept.links.keys()) assert.isTrue(found.has(id), `${id} is lost`);
  for (const [id, { sha256: hash }] of kept.attachments) {
    if (!kept.doubtful.has(id)) assert.strictEqual(attached.get(id)?.sha256, hash, id);
  }
  for (const id of kept.removed) assert.isFalse(attached.has(id), `${id} is there again`);
  for (const [id, item] of attached) {
    const download = await request(node, "GET", item.downloadUrl, { key: node.key });
    assert.strictEqual(download.status, 200, id);
    assert.strictEqual(sha256(new Uint8Array(await download.arrayBuffer())), item.sha256, id);
  }
  const onDisk = await Disk.attachments(folder);
  assert.sameMembers([...onDisk], [...attached.keys()], "files without a row");
  const ids = [...kept.ids, ...events.map(({ id }) => id)];
  assert.strictEqual(new Set(ids).size, ids.length, "an id twice");
};

const crashes = async (rounds: number, most: number) => {
  const dice = Dice.seeded("crashes");
  const folder = await temporaryFolder();
  const kept = new Acknowledged();
  let since: string | undefined;
  for (let round = 0; round <= rounds; round++) {
    const durability = round % 2 === 0 ? "full" : "normal";
    const env = { QM_RATE_LIMIT: "0", QM_DURABILITY: durability };
    const end = (f: () => Promise<void>) => onTestFinished(f, 60_000);
    const node = await Quartermaster.start(folder, env, end);
    if (since === undefined) {
      const hearing = await Reader.listen(node);
      [since] = (await hearing.until(await Reader.mark(node))).map(({ id }) => id);
    } else {
      await check(node, folder, kept, since);
    }
    if (round < rounds) await load(node, dice, kept, 10 + dice.below(most));
    else await node.kill();
  }
  assert.isAtLeast(kept.count, rounds * 10);
};

describe("kill -9 under load", () => {
  it(
    "[server.sigkill.load] a killed server loses no acknowledged write and leaves no partial one",
    () => crashes(2, 80),
    180_000,
  );

  it.runIf(process.env["QM_LONG"] === "1")(
    "[server.sigkill.load] [long] a server that is killed repeatedly loses no acknowledged write",
    () => crashes(10, 300),
    1_800_000,
  );
});
