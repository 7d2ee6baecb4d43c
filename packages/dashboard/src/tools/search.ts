import type { ToolFilter } from "../toolBrowser/entry.ts";
import { toolStates } from "../toolBrowser/states.ts";

/** The search parameters of the screen's URL. Unknown parameters are dropped. */
export interface ToolsSearch extends ToolFilter {
  /** The id of the open tool. */
  readonly tool?: string | undefined;
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

export const toolsSearch = (search: Record<string, unknown>): ToolsSearch => ({
  q: text(search["q"]),
  server: text(search["server"]),
  state: toolStates.find((state) => state === search["state"]),
  tool: text(search["tool"]),
});
