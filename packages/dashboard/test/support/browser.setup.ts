import type { TestProject } from "vitest/node";
import { hasBrowser, serve } from "./Browser.ts";

/** Starts one browser for all tests of screens, and stops it after them. */
export const setup = async (project: TestProject) => {
  if (!hasBrowser) return;
  const server = await serve();
  project.provide("browser", server.wsEndpoint());
  return () => server.close();
};
