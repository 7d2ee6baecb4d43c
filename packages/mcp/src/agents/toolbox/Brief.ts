import { Predicate, Record } from "effect";

/** Fields that say nothing: a model reads every field of a list. */

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === false ||
  value === 0 ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (Predicate.isReadonlyObject(value) && Record.isEmptyRecord(value));

/** The item without fields that are null, false, 0 or empty, at every depth. */
export const brief = (item: object): object =>
  Object.fromEntries(
    Object.entries(item)
      .map(([name, value]): [string, unknown] => [
        name,
        Predicate.isReadonlyObject(value) && !Array.isArray(value) ? brief(value) : value,
      ])
      .filter(([, value]) => !isEmpty(value)),
  );
