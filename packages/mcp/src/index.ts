export * as Connector from "./Connector.ts";
export * as Host from "./processes/Host.ts";
export * as Mcp from "./Mcp.ts";
export * as NetworkOptions from "./network/NetworkOptions.ts";
export * as OAuth from "./oauth/OAuth.ts";
export * as Orphans from "./processes/Orphans.ts";
export * as Packages from "./packages/Packages.ts";
export * as Probe from "./packages/Probe.ts";
export * as Processes from "./processes/Processes.ts";
export * as Sandboxes from "./spawner/Layer.ts";
export * as Spawner from "./spawner/Spawner.ts";

export * as AgentEndpoint from "./endpoint/AgentEndpoint.ts";
export * as EndpointOptions from "./endpoint/EndpointOptions.ts";
export * as Refusals from "./tools/Refusals.ts";
export * as Bridge from "./bridge/Bridge.ts";
