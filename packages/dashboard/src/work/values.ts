import { type Has, labelsOf, type Priority, type Status } from "../data/issues/issues.ts";
import { priorityName } from "../parts/PriorityIcon.tsx";
import { statusName } from "../parts/StatusIcon.tsx";
import { things } from "./flags.ts";
import type { ValueField, ValueSearch, WorkSearch } from "./search.ts";

/** Values of filters in the search parameters: which are set, and changes of them. */

export const fields: ReadonlyArray<ValueField> = [
  "status",
  "has",
  "priority",
  "label",
  "assignee",
  "goal",
];

/** A value that a filter includes or excludes. */
export interface Value {
  readonly field: ValueField;
  readonly value: string;
  readonly isExcluded: boolean;
}

type Texts = ReadonlyArray<string> | undefined;

const valuesOf = (search: WorkSearch, field: ValueField, isExcluded: boolean): Texts =>
  search[isExcluded ? (`not.${field}` as const) : field];

/** A change of the search parameters, or how to make it from the current ones. */
export type Change = WorkSearch | ((search: WorkSearch) => WorkSearch);

/** The set values in the order of `fields`. */
export const setValues = (search: WorkSearch): ReadonlyArray<Value> =>
  fields.flatMap((field) =>
    [false, true].flatMap((isExcluded) =>
      (valuesOf(search, field, isExcluded) ?? []).map((value) => ({ field, value, isExcluded })),
    ),
  );

const changeOf = (field: ValueField, isExcluded: boolean, values: Texts): WorkSearch => ({
  [isExcluded ? `not.${field}` : field]: values?.length === 0 ? undefined : values,
});

/** The change that removes a value. */
export const without = (search: WorkSearch, { field, isExcluded, value }: Value): WorkSearch =>
  changeOf(
    field,
    isExcluded,
    valuesOf(search, field, isExcluded)?.filter((other) => other !== value),
  );

/** The change that adds a value. */
const withValue = (search: WorkSearch, { field, isExcluded, value }: Value): WorkSearch =>
  changeOf(field, isExcluded, [...(valuesOf(search, field, isExcluded) ?? []), value]);

/** The change that excludes an included value, or includes an excluded one. */
export const toggled = (search: WorkSearch, value: Value): WorkSearch => {
  const next = { ...value, isExcluded: !value.isExcluded };
  return {
    ...without(search, value),
    ...withValue({ ...search, ...without(search, value) }, next),
  };
};

/** The change that sets a value, or removes it wherever it is set. */
export const switched = (
  search: WorkSearch,
  field: keyof ValueSearch,
  value: string,
): WorkSearch => {
  const set = setValues(search).find((one) => one.field === field && one.value === value);
  return set === undefined
    ? withValue(search, { field, value, isExcluded: false })
    : without(search, set);
};

/** The text of a value, apart from names of people. */
export const textOf = ({ field, value }: Pick<Value, "field" | "value">): string => {
  switch (field) {
    case "status":
      return statusName(value as Status);
    case "priority":
      return priorityName(value as Priority);
    case "has":
      return things[value as Has];
    case "label":
      return labelsOf(value).join(" or ");
    default:
      return value;
  }
};
