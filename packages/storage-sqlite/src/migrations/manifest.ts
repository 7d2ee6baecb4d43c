import { initial } from "./0001_initial.ts";
import { mcp } from "./0002_mcp.ts";
import { sessionTokens } from "./0003_session_tokens.ts";

/** Every migration that was ever shipped, in order. They are only added, never changed. */
export const manifest = {
  "0001_initial": initial,
  "0002_mcp": mcp,
  "0003_session_tokens": sessionTokens,
};
