import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Tests see the sources of every package, through the export condition "quartermaster-source". Vite's own condition
// "module" is not here: Node gets these, too, and would load files that packages have for bundlers alone.
const conditions = ["quartermaster-source", "node", "development|production"];

const faults = "packages/storage-postgres/test/server/**/*.test.ts";

/** Small files that take up to a minute: the suites of packages/testing over a storage. */
const suites = /\/(?:Memory)?(?:Storage|Races|Model)\.test\.ts$/u;
/** Folders with small files that take long: whole programs, and much of SQLite. */
const slow = ["test", "packages/storage-sqlite/test"].map(
  (folder) => `${import.meta.dirname}/${folder}/`,
);

const placeOf = ({ moduleId, project }: TestSpecification): number => {
  // A worker that changes the project imports everything again, so the files of a project stay together.
  const first = project.name === "postgres" ? 0 : 3;
  if (suites.test(moduleId)) return first;
  return slow.some((folder) => moduleId.startsWith(folder)) ? first + 1 : first + 2;
};

/**
 * Vitest starts with the largest files where it has not recorded how long each takes, as in a new clone. One of the
 * smallest takes a minute: as the last one it would leave one of two processors idle.
 */
class SlowFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is the sequencer's method, not an array's
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "all",
          include: [
            "packages/*/test/**/*.test.ts",
            "examples/*/test/**/*.test.ts",
            "test/**/*.test.ts",
          ],
          exclude: ["packages/dashboard/test/screens/**", "packages/storage-postgres/test/**"],
          globalSetup: "test/build.setup.ts",
        },
      },
      // Storage on a PostgreSQL server. They are skipped where npm has none for the platform.
      {
        extends: true,
        test: {
          name: "postgres",
          include: ["packages/storage-postgres/test/**/*.test.ts"],
          exclude: [faults],
          globalSetup: [
            "test/build.setup.ts",
            "packages/storage-postgres/test/support/cluster.setup.ts",
          ],
        },
      },
      // Whole programs on PostgreSQL, and its faults: `npm test` leaves them out.
      {
        extends: true,
        test: {
          name: "faults",
          include: [faults],
          globalSetup: [
            "test/build.setup.ts",
            "packages/storage-postgres/test/support/cluster.setup.ts",
          ],
        },
      },
      // The dashboard in a browser. They are skipped where there is no Chromium.
      {
        extends: true,
        test: {
          name: "screens",
          include: ["packages/dashboard/test/screens/**/*.test.ts"],
          globalSetup: ["test/build.setup.ts", "packages/dashboard/test/support/browser.setup.ts"],
          maxWorkers: 2,
        },
      },
      // Core's tests again, over storage in memory that runs every change twice: see `Transactor`.
      {
        extends: true,
        test: {
          name: "core twice",
          include: ["packages/core/test/**/*.test.ts"],
          env: { QM_STORAGE: "rerun" },
        },
      },
      // Core's tests again, over PostgreSQL where every change loses a race at one of its statements.
      {
        extends: true,
        test: {
          name: "core lost",
          // The clock of the others does not wait for a database, which work in the background uses.
          include: ["packages/core/test/!(mcp)/*.test.ts"],
          // A change that runs again leaves a gap in the numbers of issues, which `issues/Keys` expects one by one.
          exclude: ["**/{AgentHost,InboxServers,Stats}.test.ts", "**/issues/Keys.test.ts"],
          globalSetup: ["packages/storage-postgres/test/support/cluster.setup.ts"],
          env: { QM_STORAGE: "lost" },
          // Each of 500 changes in a test runs at least twice.
          testTimeout: 300_000,
        },
      },
    ],
    // Many start processes, which a busy machine may hold up for long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A test that starts a program copies the page tables of its process, which threads share with all tests: 272 s
    // instead of 252 s.
    pool: "forks",
    // Nothing here keeps state in modules, and many tests wait for processes and not for the processor.
    isolate: false,
    maxWorkers: 5,
    sequence: { sequencer: SlowFirst },
  },
});
