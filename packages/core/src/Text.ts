import { Schema, SchemaTransformation } from "effect";

/**
 * Text that people and agents write. Lengths count UTF-16 units; a lone half of a surrogate pair
 * is not valid, since storage would return another character.
 */

const wellFormed = Schema.makeFilter<string>((text) => text.isWellFormed(), {
  expected: "well-formed Unicode text",
});

/** Text of `min` to `max` characters. */
export const between = (min: number, max: number) =>
  Schema.String.check(
    Schema.makeFilter<string>((text) => text.length >= min && text.length <= max, {
      expected: min === 0 ? `at most ${max} characters` : `${min} to ${max} characters`,
    }),
    wellFormed,
  );

/** Text of `min` to `max` characters after trimming. Decodes to the trimmed text. */
export const trimmedBetween = (min: number, max: number) =>
  Schema.String.pipe(Schema.decodeTo(between(min, max), SchemaTransformation.trim()));

/** The start of a text: at most `max` characters, without half of a surrogate pair at its end. */
export const start = (text: string, max: number): string =>
  text.slice(0, max).replace(/[\ud800-\udbff]$/, "");

/** Names separated by commas, such as `Open,InProgress`. Decodes to distinct names in the order of `literals`. */
export const commaList = <L extends string>(noun: string, literals: ReadonlyArray<L>) => {
  const name = `(${literals.join("|")})`;
  const expected = `${noun} separated by commas: ${literals.join(", ")}`;
  return Schema.String.check(
    Schema.isPattern(new RegExp(`^${name}(,${name})*$`), { expected }),
  ).pipe(
    Schema.decodeTo(
      Schema.Array(Schema.Literals(literals)),
      SchemaTransformation.transform({
        decode: (text): ReadonlyArray<L> =>
          literals.filter((literal) => text.split(",").includes(literal)),
        encode: (names) => names.join(","),
      }),
    ),
  );
};

/** Splits at commas. A comma after a backslash is part of a name. */
const splitAtCommas = (text: string): ReadonlyArray<string> =>
  text.split(/(?<!\\),/u).map((name) => name.replaceAll("\\,", ","));

/** The most names of a list of alternatives. */
export const maxAlternatives = 32;

/** Up to 32 names as an array, or as one text with commas between them. Decodes to distinct names. */
export const alternatives = <A extends string>(name: Schema.Codec<A, string>) =>
  Schema.Union([Schema.String, Schema.Array(Schema.String)]).pipe(
    Schema.decodeTo(
      Schema.Array(name).check(
        Schema.isMaxLength(maxAlternatives, { expected: `at most ${maxAlternatives} names` }),
      ),
      SchemaTransformation.transform({
        decode: (names): ReadonlyArray<string> => [
          ...new Set(typeof names === "string" ? splitAtCommas(names) : names),
        ],
        encode: (names): string | ReadonlyArray<string> => names,
      }),
    ),
  );
