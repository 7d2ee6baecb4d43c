import { type Principal, type ToolGateway, ToolSearch } from "@quartermaster/core";
import { type Effect, Schema } from "effect";
import type { Explained, Refusal } from "./Refusals.ts";
import { define, reads } from "./ServiceTool.ts";

/** The tools that find, describe and call granted tools, for agents that have too many to list. */

type NamedTool = Pick<ToolGateway.NamedTool, "definition" | "name">;

/** The largest result of a search, in bytes of JSON. */
const maxBytes = 8_192;

/** The maximum number of characters of a tool's summary. */
const summaryLength = 200;

const summaryOf = (description: unknown): string => {
  const text = typeof description === "string" ? description.replace(/\s+/g, " ").trim() : "";
  const [sentence = ""] = /^.*?[.!?](?= |$)/.exec(text) ?? [text];
  return sentence.length > summaryLength ? `${sentence.slice(0, summaryLength - 1)}…` : sentence;
};

/** A found tool, described for the model. */
export interface Found {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
}

/** The best matches, best first, up to 8 KiB in total. */
export const search = (
  tools: ReadonlyArray<NamedTool>,
  query: string,
  limit: number,
): ReadonlyArray<Found> => {
  const found: Array<Found> = [];
  let bytes = 2;
  for (const { definition, name } of ToolSearch.search(tools, query).slice(0, limit)) {
    const title = typeof definition["title"] === "string" ? definition["title"].slice(0, 100) : "";
    const entry = { name, title, summary: summaryOf(definition["description"]) };
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    if (bytes > maxBytes) break;
    found.push(entry);
  }
  return found;
};

const SearchArguments = Schema.Struct({
  query: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(1_000)).annotateKey({
    description: "What the tool should do, in a few words. 1 to 1,000 characters.",
  }),
  limit: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 })),
  ).annotateKey({ description: "The largest number of tools to return, 1 to 20. Default: 5." }),
});

const name = Schema.String.annotateKey({ description: "The name of the tool, from search_tools." });

const DescribeArguments = Schema.Struct({ name });

const CallArguments = Schema.Struct({
  name,
  arguments: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)).annotateKey({
    description: "The arguments, which match the inputSchema from describe_tool. Default: none.",
  }),
});

type Run<Arguments> = (
  args: Arguments,
) => Effect.Effect<object, Refusal | Explained, Principal.CurrentPrincipal>;

/**
 * The three search tools. The toolbox executes `call_tool`, which returns the called tool's result.
 */
export const make = (run: {
  readonly search: Run<typeof SearchArguments.Encoded>;
  readonly describe: Run<typeof DescribeArguments.Encoded>;
  readonly call: Run<typeof CallArguments.Encoded>;
}) => [
  define({
    name: "search_tools",
    title: "Search your tools",
    description:
      "Finds tools that you may use by what they do. Use it when a task needs a tool that is not in your list. Returns name, title and summary of the best matches. Then read one with describe_tool and call it with call_tool.",
    takes: SearchArguments,
    annotations: reads,
    run: run.search,
  }),
  define({
    name: "describe_tool",
    title: "Read a tool's definition",
    description:
      "Returns the definition of a tool that you may use: its description and inputSchema. Use it before you call the tool with call_tool.",
    takes: DescribeArguments,
    annotations: reads,
    run: run.describe,
  }),
  define({
    name: "call_tool",
    title: "Call a tool",
    description:
      "Calls a tool that you may use, by its name. Read its definition with describe_tool first. Returns the result of the tool.",
    takes: CallArguments,
    annotations: {},
    run: run.call,
  }),
];
