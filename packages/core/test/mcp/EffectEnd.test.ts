import { assert, describe, it } from "@effect/vitest";
import { Errors, McpConnector } from "@quartermaster/core";
import { Exit } from "effect";
import * as EffectEnd from "../../src/mcp/gateway/internal/EffectEnd.ts";

const { ConnectorError, RpcError } = McpConnector;

const rpc = (code: number) => Exit.fail(new RpcError({ code, message: "No." }));
const http = (status: number) =>
  Exit.fail(new ConnectorError({ reason: "httpStatus", message: "No.", sent: true, status }));
const lost = (sent: boolean) =>
  Exit.fail(new ConnectorError({ reason: "closed", message: "Gone.", sent }));
const result = (isError?: boolean) =>
  Exit.succeed({ content: [], ...(isError !== undefined && { isError }) });

describe("the end of an effect", () => {
  it("[tools.once.ends] only a call that surely was not carried out has failed", () => {
    for (const [exit, end] of [
      [rpc(-32_600), "failed"],
      [rpc(-32_601), "failed"],
      [rpc(-32_602), "failed"],
      [rpc(-32_603), "unknown"],
      [rpc(-32_599), "unknown"],
      [rpc(-32_000), "unknown"],
      [rpc(1), "unknown"],
      ...[400, 401, 403, 404, 422, 429].map((status) => [http(status), "failed"] as const),
      ...[408, 409, 500, 502, 503, 504].map((status) => [http(status), "unknown"] as const),
      [lost(false), "failed"],
      [lost(true), "unknown"],
      [Exit.fail(new Errors.ToolUnavailable({ reason: "runEnded", explanation: "No." })), "failed"],
      [Exit.interrupt(), "unknown"],
      [Exit.die("defect"), "unknown"],
    ] as const) {
      assert.strictEqual(EffectEnd.of(exit, false, "retry"), end, JSON.stringify(exit));
    }
  });

  it("[tools.once.ends] a result ends an effect as done; isError counts by onceErrors, unless the service set it", () => {
    for (const onceErrors of ["retry", "unknown"] as const) {
      assert.strictEqual(EffectEnd.of(result(), false, onceErrors), "done");
      assert.strictEqual(EffectEnd.of(result(false), false, onceErrors), "done");
      assert.strictEqual(EffectEnd.of(result(true), true, onceErrors), "done");
    }
    assert.strictEqual(EffectEnd.of(result(true), false, "retry"), "failed");
    assert.strictEqual(EffectEnd.of(result(true), false, "unknown"), "unknown");
  });
});
