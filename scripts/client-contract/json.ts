/** Readers for members of unknown JSON. A member of another type reads as an empty value. */

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const objectAt = (value: unknown, key: string): Json => {
  const member = isObject(value) ? value[key] : undefined;
  return isObject(member) ? member : {};
};
export const listAt = (value: unknown, key: string): ReadonlyArray<unknown> => {
  const member = isObject(value) ? value[key] : undefined;
  return Array.isArray(member) ? member : [];
};
export const textAt = (value: unknown, key: string): string => {
  const member = isObject(value) ? value[key] : undefined;
  return typeof member === "string" ? member : "";
};
