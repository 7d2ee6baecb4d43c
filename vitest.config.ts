import { defineConfig } from "vitest/config";

// Tests see the sources of every package, through the export condition "quartermaster-source".
const conditions = ["quartermaster-source", "module", "node", "development|production"];

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
          globalSetup: "test/build.setup.ts",
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
    ],
    // Many start processes, which a busy machine may hold up for long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "threads",
    // Nothing here keeps state in modules, and many tests wait for processes and not for the processor.
    isolate: false,
    maxWorkers: 4,
  },
});
