/** Renders tool definitions as text. Equal members give equal lines, in whatever order the server sent them. */

type Definition = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Definition =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sorted(value[key])]),
  );
};

/** Indented JSON with sorted keys. */
export const jsonText = (value: unknown): string => JSON.stringify(sorted(value), null, 2) ?? "";

const titles: Readonly<Record<string, string>> = {
  title: "Title",
  instructions: "Instructions",
  description: "Description",
  annotations: "Annotations",
  inputSchema: "Input schema",
  outputSchema: "Output schema",
};

/** The members of a definition as sections, prose first. Includes every member except the name. */
export const sectionsOf = (
  definition: Definition,
): ReadonlyArray<{ readonly title: string; readonly text: string; readonly isProse: boolean }> =>
  [...new Set([...Object.keys(titles), ...Object.keys(definition).toSorted()])]
    .filter((key) => key !== "name" && definition[key] !== undefined)
    .map((key) => {
      const value = definition[key];
      return {
        title: titles[key] ?? key,
        text: typeof value === "string" ? value : jsonText(value),
        isProse: typeof value === "string",
      };
    });

/** The definition as text for a line-by-line diff; null for no definition. */
export const definitionText = (definition: Definition | null): string | null =>
  definition === null
    ? null
    : sectionsOf(definition)
        .map(({ text, title }) => `${title}\n${text.replaceAll(/^/gm, "  ")}`)
        .join("\n");
