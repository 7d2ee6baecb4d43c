export * as CommandError from "./CommandError.ts";
export * as Commands from "./Commands.ts";
export * as Connection from "./Connection.ts";
export * as NodeProcess from "./process/NodeProcess.ts";
export * as Options from "./Options.ts";
export * as UsageErrors from "./UsageErrors.ts";
export * as Variables from "./Variables.ts";
export * as Version from "./process/Version.ts";
