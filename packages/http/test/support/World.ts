import { assert, onTestFinished } from "@effect/vitest";
import * as Agent from "./Agent.ts";
import * as Client from "./Client.ts";
import * as Servers from "./Servers.ts";
import * as TestServer from "./TestServer.ts";

/**
 * The one world of these tests: the service in this process, over memory and a real socket, with a
 * key of each role, the agent `bot`, and helpers that set up a test. The caller closes it.
 */
export const start = async (options?: TestServer.Options) => {
  const server = await TestServer.start(options);
  const [viewer, editor, admin, owner] = await Promise.all(
    (["Viewer", "Editor", "Admin", "Owner"] as const).map((role) => server.key({ role })),
  );
  const keys = { viewer: viewer!, editor: editor!, admin: admin!, owner: owner! };
  const call = Client.as(server, keys.editor.key);
  return {
    ...server,
    ...Servers.of(server, keys),
    ...(await Agent.of(server)),
    keys,
    /** Calls with the Editor key. */
    call,
    /** Calls with the Admin key. */
    admin: Client.as(server, keys.admin.key),
    as: (key: string | undefined) => Client.as(server, key),
    issue: async (body: Record<string, unknown> = {}, project = "p1") => {
      const answer = await call("POST", `/api/projects/${project}/issues`, {
        body: { title: "Mend the roof", ...body },
      });
      assert.strictEqual(answer.status, 201);
      // Without the side effects of the request, as a GET returns it.
      const { created: _, warnings: __, ...issue } = answer.body;
      return issue as { readonly id: string } & Record<string, unknown>;
    },
    /** Creates an issue with a live run. Returns both. */
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

/** A world that is closed with the test. */
export const forTest = async (options?: TestServer.Options): Promise<World> => {
  const world = await start(options);
  onTestFinished(world.close);
  return world;
};
