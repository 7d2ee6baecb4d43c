export { AgentHost, Errors, Principal } from "@quartermaster/core";
export type { Download, Files, Upload } from "./Files.ts";
export type { Options, SharedOptions, SqliteOptions } from "./Options.ts";
export type { Promised } from "./Promised.ts";
export { Quartermaster } from "./Quartermaster.ts";
export type { Services } from "./Services.ts";
