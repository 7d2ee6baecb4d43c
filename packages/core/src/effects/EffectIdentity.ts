import { Predicate } from "effect";
import { literalOf } from "../ExactNumbers.ts";

/**
 * The identity of an effect, as texts to be digested: two calls with the same text are the same effect. Arguments are compared as RFC 8785
 * JSON; a lone surrogate, which that form forbids, is compared by its escape, and a number that is not exactly a double
 * by its literal.
 */

/** A value as RFC 8785 JSON. Members of objects whose value is undefined count as missing. */
export const canonical = (value: unknown): string => {
  const literal = literalOf(value);
  if (literal !== undefined) return literal;
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonical(item ?? null)).join(",")}]`;
  }
  if (Predicate.isReadonlyObject(value)) {
    const members = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      // By UTF-16 code units, as RFC 8785 sorts.
      .toSorted()
      .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
};

const stepsOf = (pointer: string): ReadonlyArray<string> =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));

/** The value at a JSON Pointer (RFC 6901); undefined if there is none. */
const valueAt = (value: unknown, pointer: string): unknown =>
  stepsOf(pointer).reduce<unknown>((parent, step) => {
    if (Array.isArray(parent)) {
      return /^(0|[1-9][0-9]*)$/.test(step) ? parent[Number(step)] : undefined;
    }
    return Predicate.isReadonlyObject(parent) && Object.hasOwn(parent, step)
      ? parent[step]
      : undefined;
  }, value);

/**
 * The compared part of the arguments: all of them, or the values at the pointers `by`. A missing value
 * differs from null.
 */
export const argumentsText = (
  args: Readonly<Record<string, unknown>>,
  by: ReadonlyArray<string> | undefined,
): string => {
  if (by === undefined) return canonical(args);
  const values = [...new Set(by)].map((pointer) => [pointer, valueAt(args, pointer)] as const);
  return `by ${canonical(Object.fromEntries(values))}`;
};

/** The effect that a call is: by the caller's name if there is one, otherwise by its arguments. */
export const identityText = (call: {
  readonly serverId: string;
  readonly tool: string;
  readonly name: string | null;
  /** As `argumentsText` returns it. */
  readonly arguments: string;
}): string =>
  JSON.stringify(
    call.name === null
      ? [call.serverId, call.tool, "arguments", call.arguments]
      : [call.serverId, call.tool, "name", call.name],
  );
