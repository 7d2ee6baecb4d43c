import { initial } from "./0001_initial.ts";
import { mcp } from "./0002_mcp.ts";

/** Every migration that was ever shipped, in order. They are only added, never changed. */
export const manifest = {
  "0001_initial": initial,
  "0002_mcp": mcp,
};
