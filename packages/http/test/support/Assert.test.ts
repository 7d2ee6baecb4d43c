import { assert, it } from "@effect/vitest";
import { assertFields, assertRejects, assertShape, rejection } from "./Assert.ts";

it("the assertions on shapes fail where a value differs from its shape", async () => {
  const actual = { id: "iss_1", count: 2, items: [{ path: "a", message: "Expected b" }] };
  assertShape(actual, { id: /^iss_/, count: Number, items: [{ path: "a", message: String }] });
  assertFields(actual, { items: [{ path: "a" }] });
  for (const shape of [
    { id: /^iss_/, count: Number },
    { id: /^run_/, count: Number, items: Array },
    { id: String, count: String, items: Array },
    { id: String, count: Number, items: Object },
    { id: String, count: Number, items: [] },
    { id: String, count: Number, items: Array, more: undefined },
  ]) {
    assert.throws(() => assertShape(actual, shape));
  }
  for (const shape of [{ id: "iss_2" }, { items: [{ path: "b" }] }, { items: [] }, { more: 1 }]) {
    assert.throws(() => assertFields(actual, shape));
  }
  await assertRejects(Promise.reject(new TypeError("fetch failed")), { message: /^fetch/ });
  const wrong = assertRejects(Promise.reject(new TypeError("fetch failed")), { code: 1 });
  assert.instanceOf(await rejection(wrong), Error);
  assert.match(String(await rejection(rejection(Promise.resolve()))), /fulfilled/);
});
