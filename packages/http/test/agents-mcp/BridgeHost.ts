import { fileURLToPath } from "node:url";
import { onTestFinished } from "@effect/vitest";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type * as AgentWorld from "./AgentWorld.ts";

const bin = fileURLToPath(new URL("../../bin/quartermaster.js", import.meta.url));
export const args = [bin, "mcp"];

export interface BridgeHost {
  readonly client: Client;
  /** How many notifications of a changed list it received. */
  readonly changes: () => number;
  readonly stderr: () => string;
}

/** The bridge as a host starts it, and an official client that speaks to it. */
export const connect = async (
  env: Record<string, string>,
  era: AgentWorld.Era,
): Promise<BridgeHost> => {
  let changes = 0;
  let stderr = "";
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stderr: "pipe",
  });
  transport.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const client = new Client(
    { name: "test", version: "1" },
    {
      listChanged: {
        tools: {
          autoRefresh: false,
          debounceMs: 0,
          onChanged: () => {
            changes++;
          },
        },
      },
      ...(era === "2026-07-28" ? { versionNegotiation: { mode: { pin: era } } } : {}),
    },
  );
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, changes: () => changes, stderr: () => stderr };
};
