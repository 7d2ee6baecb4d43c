/** The largest nesting depth of values from servers. The code that reads them is recursive. */
export const maxLevels = 256;

export const isTooDeep = (value: unknown, levels = maxLevels): boolean => {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  // An array of the members of each object would take ten times as long.
  for (const name in value) {
    if (isTooDeep(Reflect.get(value, name), levels - 1)) return true;
  }
  return false;
};
