// What the checks of hosts share.
import { join } from "node:path";
import { scratch } from "../ci/processes.mjs";

export const plugins = join(import.meta.dirname, "../../plugins");

/** A host keeps its files in a scratch home, and sees nothing of who runs this. */
export const env = { PATH: process.env.PATH, HOME: scratch };

/** An issue for the agent of the server's key. */
export const issueOf = ({ ask }, title) =>
  ask("POST", "/api/projects/plugins/issues", { title, assignedAgentId: "ci" });

export const statusOf = async ({ ask }, { id }) =>
  (await ask("GET", `/api/projects/issues/${id}`)).status;
