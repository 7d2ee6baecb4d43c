import type { TestServer } from "./TestServer.ts";

/** Reads Server-Sent Events as they arrive. */

export interface SentEvent {
  readonly id: string;
  readonly event: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of it is its own matter
  readonly data: any;
}

const parse = (block: string): SentEvent | undefined => {
  const fields = Object.fromEntries(
    block
      .split("\n")
      .filter((line) => !line.startsWith(":"))
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  return fields["data"] === undefined
    ? undefined
    : { id: fields["id"]!, event: fields["event"]!, data: JSON.parse(fields["data"]) };
};

export const open = async (
  server: Pick<TestServer, "url">,
  query: string,
  headers: Record<string, string>,
) => {
  const controller = new AbortController();
  const response = await fetch(`${server.url}/api/events${query}`, {
    headers,
    signal: controller.signal,
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  return {
    response,
    /** The next event; undefined when the stream has ended. */
    next: async (): Promise<SentEvent | undefined> => {
      for (;;) {
        const end = buffer.indexOf("\n\n");
        if (end !== -1) {
          const event = parse(buffer.slice(0, end));
          buffer = buffer.slice(end + 2);
          if (event !== undefined) return event;
          continue;
        }
        const { done, value } = await reader.read();
        if (done) return undefined;
        buffer += value;
      }
    },
    close: () => controller.abort(),
  };
};
