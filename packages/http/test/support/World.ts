import { assert } from "@effect/vitest";
import { assertShape } from "./Assert.ts";
import * as Client from "./Client.ts";
import * as TestServer from "./TestServer.ts";

/** A server with a key of each role, and what tests need to set a scene. */
export const start = async (options?: TestServer.Options) => {
  const server: TestServer.TestServer = await TestServer.start(options);
  const [viewer, editor, admin, owner] = await Promise.all(
    (["Viewer", "Editor", "Admin", "Owner"] as const).map((role) => server.key({ role })),
  );
  const keys = { viewer: viewer!, editor: editor!, admin: admin!, owner: owner! };
  const call = Client.as(server, keys.editor.key);
  return {
    ...server,
    keys,
    /** As an Editor. */
    call,
    as: (key: string | undefined) => Client.as(server, key),
    issue: async (body: Record<string, unknown> = {}, project = "p1") => {
      const answer = await call("POST", `/api/projects/${project}/issues`, {
        body: { title: "Mend the roof", ...body },
      });
      assert.strictEqual(answer.status, 201);
      return answer.body as { readonly id: string } & Record<string, unknown>;
    },
    /** An issue that is being executed, and its run. */
    running: async (agentId = "agent-1") => {
      const made = await call("POST", "/api/projects/p1/issues", {
        body: { title: "Run", assignedAgentId: agentId },
      });
      const beat = await call("POST", `/api/agents/${agentId}/heartbeat`, {
        body: { capacity: 50 },
      });
      const started = beat.body.started.find(
        (run: { readonly issue: { readonly id: string } }) => run.issue.id === made.body.id,
      );
      return { issueId: made.body.id as string, runId: started.runId as string, agentId };
    },
    attach: (issueId: string, file: File, key = keys.editor.key) => {
      const form = new FormData();
      form.append("file", file);
      return Client.call(server, "POST", `/api/projects/issues/${issueId}/attachments`, {
        key,
        raw: form,
      });
    },
  };
};

export type World = Awaited<ReturnType<typeof start>>;

/** The answer is a problem, with these members and no others. */
export const assertProblem = (
  answer: Client.Answer,
  status: number,
  slug: string,
  members: Record<string, unknown> = {},
) => {
  assert.strictEqual(answer.headers.get("content-type"), "application/problem+json");
  assertShape(answer.body, {
    type: `urn:quartermaster:problem:${slug}`,
    title: /^[A-Z]/,
    status,
    detail: /^[A-Z].*\.$/,
    ...members,
  });
  assert.strictEqual(answer.status, status);
  assert.match(answer.headers.get("x-request-id") ?? "", /^[A-Za-z0-9._-]{1,128}$/);
};

/** The answer is a 400 that names this one path. */
export const assertInvalid = (answer: Client.Answer, path: string) =>
  assertProblem(answer, 400, "invalid-request", { errors: [{ path, message: String }] });
