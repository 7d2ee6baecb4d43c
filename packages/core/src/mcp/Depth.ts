/** Levels that what a server sends may be nested. Code that reads it is recursive. */
export const maxLevels = 256;

export const isTooDeep = (value: unknown, levels = maxLevels): boolean => {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  // With an array of the members of each object it takes ten times as long.
  for (const name in value) {
    if (isTooDeep(Reflect.get(value, name), levels - 1)) return true;
  }
  return false;
};
