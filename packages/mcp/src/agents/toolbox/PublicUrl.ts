import { Context } from "effect";

/** The URL before the paths of the server, of the request that calls a tool. */
export const PublicUrl = Context.Reference<string>("@quartermaster/mcp/agents/toolbox/PublicUrl", {
  defaultValue: () => "",
});
