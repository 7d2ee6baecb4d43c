import * as Beside from "./mcp/beside.ts";
import * as Connections from "./mcp/connections.ts";
import * as Definitions from "./mcp/definitions.ts";
import * as Effects from "./mcp/effects.ts";
import * as Layers from "./mcp/layers.ts";
import * as ManyServers from "./mcp/manyServers.ts";
import * as OverHttp from "./mcp/overHttp.ts";
import * as Parts from "./parts.ts";
import type * as Report from "./report.ts";

/**
 * The overhead of Quartermaster on a tool call, compared with the bare client of the official SDK
 * or with `direct`.
 */

const parts = {
  definitions: Definitions.run,
  connections: Connections.run,
  beside: Beside.run,
  overHttp: OverHttp.run,
  effects: Effects.run,
  layers: Layers.run,
  manyServers: ManyServers.run,
};

/** Runs all parts, or only the named ones. */
export const run = async (
  quick: boolean,
  only: ReadonlyArray<string> = [],
): Promise<ReadonlyArray<Report.Table>> => {
  const tables: Array<Report.Table> = [];
  for (const part of Parts.chosen("mcp", parts, only)) tables.push(await part(quick));
  return tables;
};
