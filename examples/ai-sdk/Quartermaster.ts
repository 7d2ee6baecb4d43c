import { randomBytes } from "node:crypto";
// The only file that knows Effect: the library in process, and its promise facade for agents.
import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import {
  Catalog,
  Core,
  type InstalledServer,
  type Issue,
  Issues,
  MasterKeys,
  McpServers,
  Principal,
  PromiseHost,
} from "@quartermaster/core";
import { Mcp } from "@quartermaster/mcp";
import { Storage } from "@quartermaster/storage-sqlite";
import { Effect, Layer, ManagedRuntime, Redacted } from "effect";

export interface Options {
  readonly dataDir: string;
  /** The program of an MCP server, and its arguments. */
  readonly server: { readonly command: string; readonly args: ReadonlyArray<string> };
}

/** A catalog entry for a program on this machine: nothing is fetched. */
const everything = ({ args, command }: Options["server"]) => ({
  id: "everything",
  name: "Everything",
  description: "The protocol's own test server: a tool for each of its features.",
  category: "dev",
  transport: "stdio",
  runtime: "none",
  installInstructions: "Nothing to configure.",
  manifest: { package: null, command, args },
});

export interface Quartermaster {
  agent(agentId: string): Promise<PromiseHost.PromiseAgent>;
  createIssue(title: string, assignedAgentId: string): Promise<Issue.Issue>;
  getIssue(id: string): Promise<Issue.Issue>;
  pauseIssue(id: string): Promise<Issue.Issue>;
  /** Installs the server, verifies and enables it, and grants some of its tools to an agent. */
  provide(agentId: string, tools: ReadonlyArray<string>): Promise<InstalledServer.VerifyResult>;
  /** Stops everything that still runs, and closes the database. */
  close(): Promise<void>;
}

export const open = ({ dataDir, server }: Options): Quartermaster => {
  const runtime = ManagedRuntime.make(
    Core.layerMcp.pipe(
      Layer.provide([
        Storage.layer({ dataDir }),
        Mcp.layer({ dataDir, prepareSeconds: 120 }),
        Catalog.Catalog.layerWith([
          { path: "everything", text: JSON.stringify([everything(server)]) },
        ]),
        // A real host stores its key. This example discards it with the data.
        MasterKeys.MasterKeys.layer([Redacted.make(new Uint8Array(randomBytes(32)))]),
      ]),
      Layer.merge(Layer.succeed(Principal.CurrentPrincipal, Principal.user("maria", "Admin"))),
      Layer.provide(NodeCrypto.layer),
    ),
  );

  return {
    agent: PromiseHost.make(runtime).agent,
    createIssue: (title: string, assignedAgentId: string) =>
      runtime.runPromise(
        Issues.Issues.use((issues) => issues.create("demo", { title, assignedAgentId })),
      ),
    getIssue: (id: string) => runtime.runPromise(Issues.Issues.use((issues) => issues.get(id))),
    pauseIssue: (id: string) => runtime.runPromise(Issues.Issues.use((issues) => issues.pause(id))),
    provide: (agentId: string, tools: ReadonlyArray<string>) =>
      runtime.runPromise(
        McpServers.McpServers.use((servers) =>
          Effect.gen(function* () {
            const { id } = yield* servers.install({ catalogId: "everything" });
            const verification = yield* servers.verify(id);
            yield* servers.enable(id);
            yield* servers.putAccess(id, { entries: [{ agentId, granted: true, tools }] });
            return verification;
          }),
        ),
      ),
    close: () => runtime.dispose(),
  };
};
