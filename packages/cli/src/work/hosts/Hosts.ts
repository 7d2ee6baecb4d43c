import * as ClaudeCode from "./ClaudeCode.ts";
import * as Codex from "./Codex.ts";
import * as Gemini from "./Gemini.ts";
import type { Host } from "./Host.ts";
import * as OpenCode from "./OpenCode.ts";

export const names = ["claude", "codex", "gemini", "opencode"] as const;

export type Name = (typeof names)[number];

const hosts: Readonly<Record<Name, (own: ReadonlyArray<string>) => Host>> = {
  claude: () => ClaudeCode.host,
  codex: Codex.make,
  gemini: Gemini.make,
  opencode: OpenCode.make,
};

/** A host for one run, with the arguments of the user: it may have a state. */
export const forRun = (name: Name, own: ReadonlyArray<string> = []): Host => hosts[name](own);
