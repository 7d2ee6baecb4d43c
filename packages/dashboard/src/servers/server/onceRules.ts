import type { InstalledServer } from "../../data/servers/servers.ts";

type Rules = InstalledServer["once"];

/** The rules as text, one a line, as the command line takes them: `pay_* refund=/invoice,/amount`. */
export const textOf = (rules: Rules): string =>
  rules
    .map(({ by, tools }) =>
      by == null || by.length === 0 ? tools.join(" ") : `${tools.join(" ")}=${by.join(",")}`,
    )
    .join("\n");

/** Reads rules from text. The server checks names and pointers. */
export const rulesOf = (text: string): Rules =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const at = line.indexOf("=");
      const tools = (at < 0 ? line : line.slice(0, at)).split(/[\s,]+/).filter(Boolean);
      if (at < 0) return { tools };
      const pointers = line.slice(at + 1).split(",");
      return { tools, by: pointers.map((pointer) => pointer.trim()).filter(Boolean) };
    });
