export * as Connector from "./servers/Connector.ts";
export * as Host from "./programs/processes/Host.ts";
export * as Mcp from "./Mcp.ts";
export * as NetworkOptions from "./servers/network/NetworkOptions.ts";
export * as OAuth from "./servers/oauth/OAuth.ts";
export * as Orphans from "./programs/processes/Orphans.ts";
export * as Packages from "./programs/packages/Packages.ts";
export * as Probe from "./programs/packages/Probe.ts";
export * as Processes from "./programs/processes/Processes.ts";
export * as Sandboxes from "./programs/sandboxes/Sandboxes.ts";
export * as Spawner from "./programs/sandboxes/Spawner.ts";

export * as AgentEndpoint from "./agents/endpoint/AgentEndpoint.ts";
export * as EndpointOptions from "./agents/endpoint/EndpointOptions.ts";
export * as KeepAlive from "./agents/endpoint/KeepAlive.ts";
export * as PublicUrl from "./agents/toolbox/PublicUrl.ts";
export * as Refusals from "./agents/toolbox/Refusals.ts";
export * as Bridge from "./agents/bridge/Bridge.ts";
