export * as Connector from "./Connector.ts";
export * as Host from "./Host.ts";
export * as Mcp from "./Mcp.ts";
export * as Packages from "./packages/Packages.ts";
export * as Probe from "./Probe.ts";
export * as Processes from "./processes/Processes.ts";
