import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { parse } from "yaml";
import { read } from "./pages.ts";
import { root } from "./programs.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: ReadonlyArray<Step>;
}

const workflows = globSync(".github/workflows/*.yml", { cwd: root }).map((file) => {
  const { jobs } = parse(read(file)) as { readonly jobs: Readonly<Record<string, Job>> };
  return { file, jobs: Object.values(jobs) };
});
const steps = workflows.flatMap(({ jobs }) => jobs.flatMap((job) => job.steps));

const { devDependencies, scripts } = JSON.parse(read("package.json"));

/** Programs of the machine, and npm's own commands. */
const others = /^(?:sudo |sysctl |git |npm (?:ci|install|ls)\b)/;

/** Whether this repository has what a command runs. */
const isThere = (command: string): boolean => {
  const [, script] = /^npm (?:run )?(\S+)$/.exec(command) ?? [];
  if (script !== undefined && script in scripts) return true;
  const [, file] = /^(?:node )?((?:scripts|\.ci)\/\S+)/.exec(command) ?? [];
  if (file !== undefined) return existsSync(join(root, file));
  if (command.startsWith("npx changeset ")) return "@changesets/cli" in devDependencies;
  return others.test(command);
};

describe("the workflows", () => {
  it("check, release and test the newest effect", () => {
    assert.deepStrictEqual(
      workflows.map(({ file }) => file.replaceAll("\\", "/").split("/").at(-1)).toSorted(),
      ["ci.yml", "nightly.yml", "release.yml"],
    );
    const commands = steps.flatMap(({ run }) => run ?? []);
    for (const command of [".ci/run", "npm test", "npx changeset publish"]) {
      assert.include(commands, command);
    }
  });

  it("run commands that exist", () => {
    const unknown = steps
      .flatMap(({ run }) => run?.trim().split("\n") ?? [])
      .filter((command) => !isThere(command));
    assert.deepStrictEqual(unknown, []);
  });

  it("use only GitHub's actions, by their major versions, and no secret", () => {
    for (const { uses } of steps) {
      if (uses !== undefined) assert.match(uses, /^actions\/[\w-]+@v\d+$/);
    }
    for (const { file } of workflows) assert.notInclude(read(file), "secrets.");
  });

  it("may sign the provenance of packages in the release only", () => {
    const signing = workflows.filter(({ jobs }) =>
      jobs.some(({ permissions }) => permissions?.["id-token"] === "write"),
    );
    assert.deepStrictEqual(
      signing.map(({ file }) => file),
      [".github/workflows/release.yml"],
    );
    assert.include(read(".github/workflows/release.yml"), 'NPM_CONFIG_PROVENANCE: "true"');
  });
});
