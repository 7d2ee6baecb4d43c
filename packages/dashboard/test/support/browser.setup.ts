import type { TestProject } from "vitest/node";
import { hasBrowser, serve } from "./Browser.ts";

/** Starts the browser of all tests of screens once, and ends it after them. */
export const setup = async (project: TestProject) => {
  if (!hasBrowser) return;
  const server = await serve();
  project.provide("browser", server.wsEndpoint());
  return () => server.close();
};
