export type { RemoteAgent } from "./Agent.ts";
export { type Client, connect } from "./Connect.ts";
export type { Methods } from "./contract/Methods.ts";
export type { Problems } from "./contract/Problems.ts";
export { routes } from "./contract/Routes.ts";
export type * from "./contract/Schemas.ts";
export type { EventStream } from "./Events.ts";
export type { Fetch, FetchInit, FetchResponse } from "./Fetch.ts";
export type {
  CallOptions,
  ChangeOptions,
  ConnectOptions,
  CreateOptions,
  EventOptions,
  Upload,
} from "./Options.ts";
export { userAgent } from "./internal/Platform.ts";
export type { Page, Pages } from "./Pages.ts";
export { isProblem, Problem, type ProblemType, Unreachable } from "./Problem.ts";
export type { Route } from "./Route.ts";
export { type Halt, type RemoteTask, Stopped, type StopReason, type TaskOptions } from "./Task.ts";
