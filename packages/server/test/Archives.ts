import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { assert } from "@effect/vitest";
import { type End, Quartermaster, temporaryFolder } from "./Quartermaster.ts";
import * as RealServers from "./RealServers.ts";
import * as Program from "./support/Program.ts";

/** The value of a variable of an MCP server. */
export const canary = "canary-31fe/backed-up";

/** A server whose data directory has an issue, an attachment and an encrypted secret. */
export const scene = async (end?: End) => {
  const folder = await temporaryFolder(end);
  const dataDir = join(folder, "data");
  const env = { QM_CATALOG: await RealServers.writeCatalog(folder) };
  const server = await Quartermaster.start(dataDir, env, end);
  const { body: issue } = await server.call("POST", "/api/projects/p1/issues", {
    body: { title: "Paint the lighthouse" },
  });
  const bytes = randomBytes(300_000);
  const form = new FormData();
  form.set("file", new Blob([bytes]), "plan.bin");
  const response = await fetch(`${server.url}/api/projects/issues/${issue.id}/attachments`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.key}` },
    body: form,
  });
  assert.strictEqual(response.status, 201);
  const attachment = (await response.json()) as { readonly id: string };
  const { status } = await server.call("POST", "/api/mcp/installed", {
    body: { catalogId: "vault", name: "locked", envValues: { CANARY: canary } },
  });
  assert.strictEqual(status, 201);
  return {
    folder,
    dataDir,
    env,
    server,
    issueId: String(issue.id),
    attachmentId: attachment.id,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  };
};

/** Runs a command on a data directory to its end, in this process. */
export const run = (
  dataDir: string,
  args: ReadonlyArray<string>,
  end?: End,
  env: Readonly<Record<string, string>> = {},
) => Program.run(args, { env: { QM_DATA_DIR: dataDir, ...env } }, end);

/** Runs a command on a data directory to its end, as a process. */
export const execute = async (
  dataDir: string,
  args: ReadonlyArray<string>,
): Promise<Program.Result> => {
  const program = new Quartermaster(args, { QM_DATA_DIR: dataDir });
  const { code } = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr };
};
