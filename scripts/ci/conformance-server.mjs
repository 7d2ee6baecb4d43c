// The MCP server with the tools, resources and prompts that the conformance suite expects, over stdio, under
// the suite's names. It implements the behaviors that pass through /mcp.
import { createInterface } from "node:readline";

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

const text = (text) => ({ type: "text", text });
const image = { type: "image", data: png, mimeType: "image/png" };
const resource = (uri, mimeType, text) => ({ type: "resource", resource: { uri, mimeType, text } });
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

const progress = async ({ _meta }) => {
  for (const progress of [0, 50, 100]) {
    const params = { progressToken: _meta?.progressToken, progress, total: 100 };
    if (params.progressToken !== undefined) send({ method: "notifications/progress", params });
    await pause();
  }
  return [text("Reported its progress.")];
};

/** The results of the tools. */
const tools = {
  test_simple_text: () => [text("This is a simple text response for testing.")],
  test_image_content: () => [image],
  test_audio_content: () => [{ type: "audio", data: wav, mimeType: "audio/wav" }],
  test_embedded_resource: () => [
    resource("test://embedded-resource", "text/plain", "This is an embedded resource content."),
  ],
  test_multiple_content_types: () => [
    text("Multiple content types test:"),
    image,
    resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ],
  test_tool_with_progress: progress,
  test_error_handling: () => {
    throw new Error("This tool intentionally returns an error for testing");
  },
  json_schema_2020_12_tool: () => [text("ok")],
};

const plain = { type: "object", properties: {} };

const schema2020 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
  additionalProperties: false,
};

const definition = (name) => ({
  name,
  description: `The suite's ${name}.`,
  inputSchema: name.startsWith("json_schema") ? schema2020 : plain,
});

const listed = (name, mimeType) => ({
  uri: `test://${name}`,
  name,
  description: `The suite's ${name}.`,
  mimeType,
});

const contentsOf = (uri) => {
  if (uri === "test://static-binary") return { uri, mimeType: "image/png", blob: png };
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  if (id !== undefined) {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { uri, mimeType: "application/json", text };
  }
  if (uri !== "test://static-text") return undefined;
  const text = "This is the content of the static text resource.";
  return { uri, mimeType: "text/plain", text };
};

const argument = (name) => ({ name, description: `The ${name}.`, required: true });

/** The prompts: the arguments and the contents of the messages. */
const prompts = {
  test_simple_prompt: {
    contents: () => [text("This is a simple prompt for testing.")],
  },
  test_prompt_with_arguments: {
    arguments: [argument("arg1"), argument("arg2")],
    contents: ({ arg1, arg2 }) => [text(`Prompt with arguments: ${arg1}, ${arg2}`)],
  },
  test_prompt_with_embedded_resource: {
    arguments: [argument("resourceUri")],
    contents: ({ resourceUri }) => [
      resource(resourceUri, "text/plain", "The content of the resource."),
      text("Use the resource above."),
    ],
  },
  test_prompt_with_image: {
    contents: () => [image, text("Describe the image above.")],
  },
};

/** The result of each method. */
const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    serverInfo: { name: "conformance", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: Object.keys(tools).map(definition) }),
  "tools/call": async (params) => {
    try {
      return { content: await tools[params.name](params) };
    } catch (error) {
      return { content: [text(error.message)], isError: true };
    }
  },
  "prompts/list": () => ({
    prompts: Object.entries(prompts).map(([name, { arguments: args = [] }]) => ({
      name,
      description: `The suite's ${name}.`,
      arguments: args,
    })),
  }),
  "prompts/get": ({ name, arguments: args = {} }) => ({
    messages: prompts[name].contents(args).map((content) => ({ role: "user", content })),
  }),
  "completion/complete": ({ argument: { value } }) => ({
    completion: { values: [`${value} completed`], total: 1, hasMore: false },
  }),
  "resources/list": () => ({
    resources: [listed("static-text", "text/plain"), listed("static-binary", "image/png")],
  }),
  "resources/templates/list": () => ({
    resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template" }],
  }),
  "resources/read": ({ uri }) => {
    const contents = contentsOf(uri);
    return contents === undefined ? undefined : { contents: [contents] };
  },
};

const refused = { code: -32_601, message: "There is no such method or resource." };

createInterface(process.stdin).on("line", async (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const result = await methods[method]?.(params);
  send(result === undefined ? { id, error: refused } : { id, result });
});
