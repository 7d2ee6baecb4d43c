// Shared helpers of the host checks.
import { join } from "node:path";
import { scratch } from "../ci/processes.mjs";

export const plugins = join(import.meta.dirname, "../../plugins");

/** The environment of a host: a scratch home, and no variable of the user who runs the check. */
export const env = { PATH: process.env.PATH, HOME: scratch };

/** Creates an issue for the agent of the server's key. */
export const issueOf = ({ ask }, title) =>
  ask("POST", "/api/projects/plugins/issues", { title, assignedAgentId: "ci" });

export const statusOf = async ({ ask }, { id }) =>
  (await ask("GET", `/api/projects/issues/${id}`)).status;
