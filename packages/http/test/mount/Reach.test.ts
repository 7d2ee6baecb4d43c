import { assert, describe, it } from "@effect/vitest";
import * as Mount from "../../src/Mount.ts";
import { stateless, withHost } from "../support/Agent.ts";
import { assertRejects } from "../support/Assert.ts";
import * as MountWorld from "./MountWorld.ts";

const origin = "https://agents.example.com";

describe("mounted /mcp", () => {
  for (const host of ["Express", "Hono"] as const) {
    it(`[mount.reach] on ${host}, allowed hosts and origins reach it below the prefix`, async () => {
      const { base, call, key } = await MountWorld.start({
        host,
        prefix: "/quartermaster",
        allowedHosts: ["quartermaster"],
        allowedOrigins: [origin],
      });
      const agent = await key({ role: "Editor", agentId: "bot" });
      const { body, headers } = stateless("tools/list");
      const listed = await call("POST", "/mcp", {
        key: agent,
        body,
        headers: { ...headers, origin },
      });
      assert.strictEqual(listed.status, 200);
      assert.strictEqual(listed.headers.get("access-control-allow-origin"), origin);
      const preflight = await call("OPTIONS", "/mcp", {
        key: undefined,
        headers: { origin, "access-control-request-method": "POST" },
      });
      assert.strictEqual(preflight.status, 204);
      assert.strictEqual(preflight.headers.get("access-control-allow-origin"), origin);
      assert.strictEqual(await withHost(base, agent, "quartermaster:7420"), 200);
      assert.strictEqual(await withHost(base, agent, "elsewhere"), 403);
    });
  }

  it("[mount.reach] malformed hosts and origins are rejected", async () => {
    const { runtime } = await MountWorld.prepare();
    const rejected = (options: Mount.Options, text: string) =>
      assertRejects(Mount.open(runtime, options), { message: new RegExp(`"${text}" is not one`) });
    for (const wrong of ["http://quartermaster", "a/b", "", "example.com:x"]) {
      await rejected({ allowedHosts: ["fine", wrong] }, wrong);
    }
    for (const wrong of ["null", "example.com", "https://example.com/"]) {
      await rejected({ allowedOrigins: [origin, wrong] }, wrong);
    }
  });
});
