import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { bundle, root, runNode, serve, temporaryFolder } from "./programs.ts";

const names = ["embedded", "promises", "mounted", "ai-sdk", "standalone", "client"] as const;
const endings: Array<() => Promise<void>> = [];
let example: (name: (typeof names)[number]) => string;

beforeAll(async () => {
  const input = names.map((name) => [name, join(root, "examples", name, "main.ts")] as const);
  example = await bundle(Object.fromEntries(input), (end) => endings.push(end));
});

afterAll(async () => {
  for (const end of endings) await end();
});

/** Checks that an example exits with 0: an example fails if one of its own checks does. */
const check = ({ code, stderr, stdout }: Awaited<ReturnType<typeof runNode>>) => {
  assert.strictEqual(code, 0, stdout + stderr);
  assert.include(stdout, "the one that waited is: Open");
};

describe("the examples", { timeout: 120_000 }, () => {
  it("embedded", async () => {
    check(await runNode(example("embedded"), { cwd: await temporaryFolder() }));
  });

  it("promises", async () => {
    check(await runNode(example("promises"), { cwd: await temporaryFolder() }));
  });

  it("mounted", async () => {
    const result = await runNode(example("mounted"), { cwd: await temporaryFolder() });
    check(result);
    assert.include(result.stdout, "the second page: Write the manual");
  });

  it("ai-sdk", async () => {
    const { code, stderr, stdout } = await runNode(example("ai-sdk"), {
      cwd: await temporaryFolder(),
    });
    assert.strictEqual(code, 0, stdout + stderr);
    assert.include(stdout, "the paused issue is: Open");
  });

  it("standalone and client, at a server that runs", async () => {
    const cwd = await temporaryFolder();
    const url = await serve(cwd);
    const key = await readFile(join(cwd, ".quartermaster", "owner-key"), "utf8");
    const env = { QM_URL: url, QM_KEY: key };
    check(await runNode(example("standalone"), { cwd, env }));
    check(await runNode(example("client"), { cwd, env }));
  });
});
