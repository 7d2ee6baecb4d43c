/** The states by which runs are filtered: of a live run, or the outcome of its hand-in. */
export const runStates = {
  running: "Running",
  stopping: "Stopping",
  resolved: "Resolved",
  review: "In review",
  released: "Released",
  failed: "Failed",
} as const;

export type RunState = keyof typeof runStates;

export const runStateNames = Object.keys(runStates) as ReadonlyArray<RunState>;

/** The search parameters of the screen's URL. Unknown parameters are dropped. */
export interface RunsSearch {
  readonly state?: RunState | undefined;
  readonly agent?: string | undefined;
  readonly project?: string | undefined;
  /** The earliest start. */
  readonly from?: string | undefined;
  /** The earliest end. */
  readonly ended?: string | undefined;
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

const time = (value: unknown): string | undefined =>
  Number.isNaN(Date.parse(text(value) ?? "")) ? undefined : text(value);

export const runsSearch = (search: Record<string, unknown>): RunsSearch => ({
  state: runStateNames.find((state) => state === search["state"]),
  agent: text(search["agent"]),
  project: text(search["project"]),
  from: time(search["from"]),
  ended: time(search["ended"]),
});
