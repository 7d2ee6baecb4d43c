// The agent's granted tools in the form of the AI SDK.
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
        // A refused call throws, and the SDK reports the error to the model. A result with isError
        // does the same.
        execute: (input, { abortSignal: signal }) =>
          task.call(name, input as Record<string, unknown>, { signal }),
      }),
    ]),
  );
};
