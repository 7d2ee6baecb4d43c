import { assert } from "@effect/vitest";
import { script } from "../../../mcp/test/support/Fixture.ts";
import type { Screens } from "./Screens.ts";

/** Entries of the catalog whose program is the fixture of the MCP tests. */

/** Lets programs of entries that the API created run without a sandbox. */
export const env = { QM_ALLOW_DIRECT: "1" };

/** The catalog entry for a behavior of `fixture.mjs`. */
export const entryOf = (
  id: string,
  behavior = "good",
  more: Readonly<Record<string, unknown>> = {},
) => ({
  id,
  name: id,
  description: "Echoes what it is sent.",
  category: "dev",
  transport: "stdio",
  runtime: "none",
  installInstructions: "Nothing to do.",
  manifest: { command: process.execPath, args: [script, behavior] },
  ...more,
});

/** Creates an entry. */
export const createEntry = async (
  { call }: Screens,
  ...of: Parameters<typeof entryOf>
): Promise<void> => {
  const { status, text } = await call("POST", "/api/mcp/catalog", entryOf(...of));
  assert.strictEqual(status, 201, text);
};

/** Installs an entry. Returns the server's id. */
export const install = async (
  { call }: Screens,
  catalogId: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> => {
  const { body, text } = await call("POST", "/api/mcp/installed", { catalogId, ...fields });
  assert.isString(body.id, text);
  return body.id;
};
