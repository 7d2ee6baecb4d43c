import * as ClaudeCode from "./ClaudeCode.ts";
import * as Codex from "./Codex.ts";
import * as Gemini from "./Gemini.ts";
import type { Host } from "./Host.ts";
import * as OpenCode from "./OpenCode.ts";

export const names = ["claude", "codex", "gemini", "opencode"] as const;

export type Name = (typeof names)[number];

const hosts: Readonly<Record<Name, () => Host>> = {
  claude: () => ClaudeCode.host,
  codex: () => Codex.host,
  gemini: Gemini.make,
  opencode: () => OpenCode.host,
};

/** A host for one run: it may have a state. */
export const forRun = (name: Name): Host => hosts[name]();
