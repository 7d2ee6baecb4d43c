import { basename } from "node:path";
import type { Sandbox } from "@quartermaster/core";
import type { Name, Setting } from "./Sandboxes.ts";

/** The settings of the host and the sandboxes it has. */
export interface Policy {
  readonly setting: Setting;
  /** Whether a program of an Owner's entry may run without a sandbox. */
  readonly allowDirect: boolean;
  /** Whether Node's permission model can deny the network. */
  readonly deniesNetwork: boolean;
}

/** The executable names of Node.js. */
export const isNode = (command: string): boolean =>
  /^node(?:js)?(?:\.exe)?$/i.test(basename(command));

export const isScript = (command: string): boolean => /\.[cm]?js$/i.test(command);

const isJavaScript = ({ command, runtime }: Sandbox.Need) =>
  runtime === "node" || isNode(command) || isScript(command);

/**
 * Whether Node's permission model suits the program: it runs JavaScript, starts no other programs
 * and no worker threads, which set their own permissions, and may use the network unless Node can
 * deny that.
 */
const suitsNode = (need: Sandbox.Need, deniesNetwork: boolean) =>
  isJavaScript(need) &&
  need.sandbox?.childProcesses !== true &&
  need.sandbox?.workers !== true &&
  (deniesNetwork || need.sandbox?.network !== false);

/**
 * The sandboxes for a program, best first. The program runs in the first one that the host has. A
 * program of an Owner's entry is not vetted. It runs without a sandbox only if the host allows it,
 * and under `node`, which is not a boundary against hostile code, only if the setting names `node`.
 */
export const sandboxesFor = (
  { allowDirect, deniesNetwork, setting }: Policy,
  need: Sandbox.Need,
): readonly [Name, ...ReadonlyArray<Name>] => {
  const node = suitsNode(need, deniesNetwork);
  const isConfined = need.isOwn && !allowDirect;
  if (setting === "node" && node) return ["node"];
  if (setting === "bubblewrap" || setting === "docker") return [setting];
  if (isConfined) return ["bubblewrap"];
  // The needs of a local program are unknown, so a sandbox could break it.
  if (setting !== "auto" || (need.isLocal && need.sandbox === null)) return ["direct"];
  return node && !need.isOwn ? ["bubblewrap", "node", "direct"] : ["bubblewrap", "direct"];
};
