import { basename } from "node:path";
import type { Sandbox } from "@quartermaster/core";
import type { Name, Setting } from "./Layer.ts";

/** The file names of Node.js. */
export const isNode = (command: string): boolean =>
  /^node(?:js)?(?:\.exe)?$/i.test(basename(command));

export const isScript = (command: string): boolean => /\.[cm]?js$/i.test(command);

const isJavaScript = ({ command, runtime }: Sandbox.Need) =>
  runtime === "node" || isNode(command) || isScript(command);

/**
 * Whether Node's permission model does for the program: it runs JavaScript, starts no other programs,
 * which the model does not follow, and may use the network, unless Node can deny that.
 */
const suitsNode = (need: Sandbox.Need, deniesNetwork: boolean) =>
  isJavaScript(need) &&
  need.sandbox?.childProcesses !== true &&
  (deniesNetwork || need.sandbox?.network !== false);

/** The layers for a program, best first. It runs in the first one that the host has. */
export const layersFor = (
  setting: Setting,
  need: Sandbox.Need,
  deniesNetwork: boolean,
): readonly [Name, ...ReadonlyArray<Name>] => {
  const node = suitsNode(need, deniesNetwork);
  if (setting === "node") return node ? ["node"] : ["direct"];
  if (setting !== "auto") return [setting];
  // What it needs is unknown, so that a sandbox could only break it.
  if (need.isLocal && need.sandbox === null) return ["direct"];
  return node ? ["bubblewrap", "node", "direct"] : ["bubblewrap", "direct"];
};
