export * as HttpOptions from "./HttpOptions.ts";
export * as Mount from "./Mount.ts";
export * as Routes from "./Routes.ts";
export * as DataDirectory from "./server/DataDirectory.ts";
export * as Server from "./server/Server.ts";
export * as ServerConfig from "./server/ServerConfig.ts";
export * as StartError from "./server/StartError.ts";
export * as SystemHandlers from "./server/SystemHandlers.ts";
