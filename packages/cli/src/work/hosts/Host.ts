import type { HostUsage } from "./HostUsage.ts";

/** A coding agent that `quartermaster work --with` runs without a person, and the stream that it prints. */

/** An event of the stream: one line of JSON. */
export type Event = Readonly<Record<string, unknown>>;

/** The facts of one event. */
export interface Reading {
  /** The event in readable words, for the log of the run. */
  readonly log?: string | undefined;
  /** The text with which the host ends; each replaces the previous one. */
  readonly answer?: string | undefined;
  readonly session?: string | undefined;
  readonly failure?: string | undefined;
  readonly usage?: ReadonlyArray<HostUsage> | undefined;
}

/** The run that a host works on. */
export interface Work {
  readonly url: string;
  readonly runId: string;
  /** A configuration of the MCP client as a file, in the format of Claude Code. */
  readonly mcpConfig: string;
}

/** An installation that the host lists. */
export interface Requirement {
  /** The arguments with which the host lists what is installed. */
  readonly args: ReadonlyArray<string>;
  /** Matches the list if the installation is in it. */
  readonly installed: RegExp;
  /** The change that a person has to make. */
  readonly advice: string;
}

export interface Host {
  /** The program, which reads the prompt from stdin. */
  readonly program: string;
  /** Its arguments, with the arguments of the user (`own`). `session` is the session to continue. */
  readonly args: (
    work: Work,
    session: string | null,
    own: ReadonlyArray<string>,
  ) => ReadonlyArray<string>;
  /** The variables that connect the host to `/mcp`. The user's variables of the same names win. */
  readonly environment: (work: Work) => Readonly<Record<string, string>>;
  /** The installation without which the host cannot reach `/mcp`; null for none. */
  readonly requirement: Requirement | null;
  /** Matches the output of a host that cannot continue a session. */
  readonly refusal: RegExp;
  /** An unknown event has no facts. */
  readonly read: (event: Event) => Reading;
}

export const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

export const fields = (value: unknown): Event =>
  typeof value === "object" && value !== null ? (value as Event) : {};

export const list = (value: unknown): ReadonlyArray<Event> =>
  Array.isArray(value) ? value.map(fields) : [];

/** The maximum UTF-16 units of a tool's arguments or result in the log. */
const longest = 4_000;

const short = (value: unknown): string => {
  const shown = typeof value === "string" ? value.trimEnd() : (JSON.stringify(value) ?? "");
  return shown.length > longest ? `${shown.slice(0, longest)} [cut]` : shown;
};

export const toolCall = (name: unknown, args: unknown): string => `> ${short(name)} ${short(args)}`;

export const toolResult = (result: unknown, isError: boolean): string =>
  `${isError ? "! " : "< "}${short(result)}`;
