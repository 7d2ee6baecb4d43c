/** The named parts of a benchmark. Without names, all parts. */
export const chosen = <Run>(
  benchmark: string,
  parts: Readonly<Record<string, Run>>,
  only: ReadonlyArray<string>,
): ReadonlyArray<Run> =>
  only.length === 0
    ? Object.values(parts)
    : only.map((name) => {
        const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
        if (part !== undefined) return part;
        throw new Error(`${benchmark} has ${Object.keys(parts).join(", ")}, not ${name}`);
      });
