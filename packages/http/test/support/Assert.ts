import { assert } from "@effect/vitest";
import type * as Client from "./Client.ts";

/**
 * Comparison with a shape, for values that are partly unknown. A shape is the expected value with a
 * regular expression for any text that matches it, and with `String`, `Number`, `Array` or `Object`
 * for any value of that type.
 */

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isMatched = (actual: unknown, shape: unknown): boolean => {
  if (shape instanceof RegExp) return typeof actual === "string" && shape.test(actual);
  if (shape === String) return typeof actual === "string";
  if (shape === Number) return typeof actual === "number";
  if (shape === Array) return Array.isArray(actual);
  return shape === Object && isRecord(actual);
};

/**
 * The shape, with the actual value where they match: mismatches stay and appear in the difference.
 */
const fill = (actual: unknown, shape: unknown, isPartial: boolean): unknown => {
  if (isMatched(actual, shape)) return actual;
  if (Array.isArray(shape)) {
    const items: ReadonlyArray<unknown> = Array.isArray(actual) ? actual : [];
    return shape.map((item, index) => fill(items[index], item, isPartial));
  }
  if (!isRecord(shape) || shape instanceof RegExp) return shape;
  const fields = isRecord(actual) ? actual : {};
  const filled = Object.fromEntries(
    Object.entries(shape).map(([name, value]) => [name, fill(fields[name], value, isPartial)]),
  );
  return isPartial ? { ...fields, ...filled } : filled;
};

/** The reason with which a promise rejects. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("The promise was fulfilled."),
    (reason) => reason,
  );

/** The promise rejects with an error that has these fields. */
export const assertRejects = async (promise: Promise<unknown>, fields: object): Promise<void> => {
  const error = await rejection(promise);
  assert.instanceOf(error, Error);
  const entries = Object.keys(fields).map((name) => [name, Reflect.get(error, name)]);
  assertShape(Object.fromEntries(entries), fields);
};

/** The value has this shape, with no other fields. */
export const assertShape = (actual: unknown, shape: unknown, message?: string): void =>
  assert.deepStrictEqual(actual, fill(actual, shape, false), message);

/** The value has the fields of the shape, and may have others, at every depth; lists have no other items. */
export const assertFields = (actual: unknown, shape: object, message?: string): void =>
  assert.deepStrictEqual(actual, fill(actual, shape, true), message);

/** The response is a problem, with these members and no others. */
export const assertProblem = (
  answer: Client.Answer,
  status: number,
  slug: string,
  members: Record<string, unknown> = {},
): void => {
  assert.strictEqual(answer.headers.get("content-type"), "application/problem+json");
  assertShape(answer.body, {
    type: `urn:quartermaster:problem:${slug}`,
    title: /^[A-Z]/,
    status,
    detail: /^[A-Z].*\.$/,
    ...members,
  });
  assert.strictEqual(answer.status, status);
  assert.match(answer.headers.get("x-request-id") ?? "", /^[A-Za-z0-9._-]{1,128}$/);
};

/** The response is a 400 whose one error names this path. */
export const assertInvalid = (answer: Client.Answer, path: string): void =>
  assertProblem(answer, 400, "invalid-request", { errors: [{ path, message: String }] });
