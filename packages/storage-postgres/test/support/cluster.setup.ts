import type { TestProject } from "vitest/node";
import { Cluster } from "./Cluster.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of a PostgreSQL server; empty if none can be started here. */
    postgres: string;
  }
}

/** Starts one server for all tests of the project, and removes it after them. */
export const setup = async (project: TestProject) => {
  const { missing } = Cluster;
  if (missing !== undefined) {
    process.stderr.write(`Tests of PostgreSQL are skipped: ${missing}.\n`);
    project.provide("postgres", "");
    return undefined;
  }
  const cluster = await Cluster.start();
  project.provide("postgres", cluster.url);
  return () => cluster.remove();
};
