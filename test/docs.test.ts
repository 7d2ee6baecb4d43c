import { existsSync, globSync } from "node:fs";
import { dirname, join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { anchorsIn, read } from "./pages.ts";
import { root } from "./programs.ts";

const pages = globSync(
  ["*.md", "docs/**/*.md", "packages/*/README.md", "examples/*/README.md", "plugins/*.md"],
  { cwd: root },
);

/**
 * Variables that belong to other programs: the commands, long test runs, and the runner's variables
 * for a command.
 */
const others = new Set([
  "QM_URL",
  "QM_KEY",
  "QM_LONG",
  "QM_AGENT_ID",
  "QM_ISSUE_ID",
  "QM_RUN_ID",
  "QM_ISSUE_FILE",
  "QM_MCP_CONFIG",
]);

describe("the documents", () => {
  it("link to files and headings that exist", () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
        .filter(([, path = "", anchor]) => {
          const target = path === "" ? page : join(dirname(page), path);
          if (!existsSync(join(root, target))) return true;
          return anchor !== undefined && !anchorsIn(read(target)).includes(anchor);
        })
        .map(([link]) => `${page}: ${link}`),
    );
    assert.deepStrictEqual(broken, []);
  });

  it("name only variables that the server reads, and the contract names them all", () => {
    const variables = new Set(
      ["ServerConfig", "DatabaseSettings", "S3Settings"].flatMap(
        (name) => read(`packages/server/src/config/${name}.ts`).match(/QM_[A-Z_]+/g) ?? [],
      ),
    );
    const named = (page: string) => new Set(read(page).match(/QM_[A-Z]+(?:_[A-Z]+)*/g));
    const unknown = [...pages, "examples/three-nodes/compose.yaml"].flatMap((page) =>
      [...named(page)]
        .filter((name) => !variables.has(name) && !others.has(name))
        .map((name) => `${page}: ${name}`),
    );
    assert.deepStrictEqual(unknown, []);
    const there = named("docs/contract/running.md");
    const missing = [...variables].filter((name) => !there.has(name));
    assert.deepStrictEqual(missing, []);
  });

  it("show the unit of systemd that the package has", () => {
    const [, shown] = /```ini\n(.*?)```/s.exec(read("docs/operating/deployment.md")) ?? [];
    assert.strictEqual(shown, read("packages/server/systemd/quartermaster.service"));
  });
});
