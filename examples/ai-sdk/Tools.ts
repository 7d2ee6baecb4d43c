// The tools that an agent was granted, as the AI SDK takes them.
import type { PromiseHost } from "@quartermaster/core";
import { dynamicTool, jsonSchema, type ToolSet } from "ai";

export const toolsOf = async (task: PromiseHost.PromiseTask): Promise<ToolSet> => {
  const { tools } = await task.tools();
  return Object.fromEntries(
    tools.map(({ description, inputSchema, name }) => [
      name,
      dynamicTool({
        ...(description === null ? {} : { description }),
        inputSchema: jsonSchema(inputSchema),
        // A refusal is thrown, and the model is told of it; so is an answer that says it is an error.
        execute: (input, { abortSignal: signal }) =>
          task.call(name, input as Record<string, unknown>, { signal }),
      }),
    ]),
  );
};
