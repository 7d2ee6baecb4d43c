import { Predicate } from "effect";

/**
 * JSON without a loss of digits. A number that a double would change, such as 9007199254740993, is read as a value of
 * `JSON.rawJSON`, which `JSON.stringify` writes as it was. Runtimes that do not have it read doubles.
 */

interface RawJson {
  readonly rawJSON: string;
}

const { isRawJSON, rawJSON } = JSON as {
  readonly isRawJSON?: (value: unknown) => boolean;
  readonly rawJSON?: (text: string) => RawJson;
};

/** Whether a JSON text may contain such a number: it has at least 16 digits, or an exponent. */
export const isPossible = (text: string): boolean =>
  rawJSON !== undefined && /\d[\d.]{15,}|\d[eE]/.test(text);

const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** The length of a text without the zeros at its end. A regular expression looks at each run of zeros to its end: 0.5 s for 40 kB. */
const lengthWithoutZeros = (digits: string): number => {
  let length = digits.length;
  while (digits[length - 1] === "0") length--;
  return length;
};

/** A decimal number without a choice of form: its digits without zeros at the ends, and their exponent. */
const formOf = (literal: string): string | null => {
  const [, sign, whole, fraction = "", exponent = "0"] = parts.exec(literal) ?? [];
  if (sign === undefined || whole === undefined) return null;
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = digits.slice(0, lengthWithoutZeros(digits));
  if (significant === "") return "0";
  const scale = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${scale}`;
};

const kept = (_: string, value: unknown, context?: { readonly source?: string }): unknown => {
  const source = context?.source;
  return typeof value !== "number" || source === undefined || formOf(source) === formOf(`${value}`)
    ? value
    : rawJSON?.(source);
};

/** Reads a JSON text, and throws for another one. It takes 40 times as long if the text may contain such a number. */
export const parse = (text: string): unknown =>
  isPossible(text) ? JSON.parse(text, kept) : JSON.parse(text);

/** The literal of a number that a double would change; undefined for other values. */
export const literalOf = (value: unknown): string | undefined =>
  isRawJSON?.(value) === true && Predicate.hasProperty(value, "rawJSON")
    ? String(value.rawJSON)
    : undefined;
