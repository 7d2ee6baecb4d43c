import { plainText } from "../data/ansi.ts";

/** The rows and columns of a table that are shown. */
export const mostRows = 1_000;
const mostColumns = 50;
const longestTable = 500_000;

/** The text of the first parts of a file; null if they are not text in UTF-8. */
export const textOf = (parts: ReadonlyArray<{ readonly bytes: Uint8Array }>): string | null => {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    // A part may end within a character: the decoder waits for the rest of it.
    const text = parts.map(({ bytes }) => decoder.decode(bytes, { stream: true })).join("");
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
};

/** The reason why a file has no preview; null if it has one. */
export const whyNone = (
  contentType: string,
  fileName: string,
  text: string | null,
): string | null => {
  if (contentType === "application/pdf" || /\.pdf$/i.test(fileName)) {
    return "A PDF file can contain programs, so this page does not open it. Download it to read it.";
  }
  if (text === null) return "There is no preview of this type of file.";
  return text === "" ? "The file is empty." : null;
};

const languages: Readonly<Record<string, string>> = {
  cjs: "javascript",
  css: "css",
  csv: "csv",
  diff: "diff",
  go: "go",
  html: "xml",
  java: "java",
  js: "javascript",
  json: "json",
  jsx: "javascript",
  md: "markdown",
  mjs: "javascript",
  patch: "diff",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  sql: "sql",
  svg: "xml",
  ts: "typescript",
  tsv: "csv",
  tsx: "typescript",
  xml: "xml",
  yaml: "yaml",
  yml: "yaml",
};

/** The language of a text, `csv` for a table; null for plain text, such as a log. */
export const languageOf = (contentType: string, fileName: string): string | null => {
  const ending = /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? "";
  const known = languages[ending];
  if (known !== undefined) return known;
  if (/[/+]json$/.test(contentType)) return "json";
  return contentType === "text/csv" ? "csv" : null;
};

/** JSON with line breaks; the text itself if it is not JSON. */
export const prettyJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** A log without the colors of a terminal. */
export const withoutColors = (text: string): string =>
  text.includes("\u001b") ? text.split("\n").map(plainText).join("\n") : text;

const separatorOf = (text: string, fileName: string): string => {
  if (/\.tsv$/i.test(fileName)) return "\t";
  const [head = ""] = text.split("\n", 1);
  return head.includes(";") && !head.includes(",") ? ";" : ",";
};

/** The first rows of a table (RFC 4180). The last row of a part may be cut, so it is left out. */
export const rowsOf = (
  whole: string,
  fileName: string,
  isComplete: boolean,
): ReadonlyArray<ReadonlyArray<string>> => {
  const text = whole.slice(0, longestTable);
  const isWhole = isComplete && text.length === whole.length;
  const separator = separatorOf(text, fileName);
  const rows: Array<Array<string>> = [];
  let row: Array<string> = [];
  const cell = new RegExp(`"([^"]*(?:""[^"]*)*)"|[^${separator}\\r\\n]+`, "y");
  let at = 0;
  while (at < text.length && rows.length < mostRows) {
    cell.lastIndex = at;
    const [found = "", quoted] = cell.exec(text) ?? [];
    if (row.length < mostColumns) row.push(quoted?.replaceAll('""', '"') ?? found);
    at += found.length;
    if (text[at] === separator) {
      at += 1;
      if (at < text.length) continue;
    }
    const end = /\r\n?|\n/y;
    end.lastIndex = at;
    const [line = ""] = end.exec(text) ?? [];
    // Text after a quoted cell belongs to no cell.
    if (line === "" && at < text.length) {
      at += 1;
      continue;
    }
    at += line.length;
    if (line !== "" || isWhole) rows.push(row);
    row = [];
  }
  return rows;
};
