import { connect, type Socket } from "node:net";
import type { TestServer } from "./TestServer.ts";

/** Sends bytes that no HTTP client would send to a server. */

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

const parse = (text: string): RawAnswer => {
  const [head = "", body = ""] = text.split(/\r\n\r\n/, 2);
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head, body };
};

export const open = (server: Pick<TestServer, "url">): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.on("error", reject);
  });

/** Sends the bytes, closes the sending side, and reads until the server closes the connection. */
export const send = async (
  server: Pick<TestServer, "url">,
  bytes: string | Buffer,
  { halfClose = true }: { readonly halfClose?: boolean } = {},
): Promise<RawAnswer> => {
  const socket = await open(server);
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
    socket.on("error", () => {});
    socket.on("close", () => resolve(parse(text)));
    socket.write(bytes);
    if (halfClose) socket.end();
  });
};

/** The head of a request. */
export const head = (
  method: string,
  path: string,
  headers: Record<string, string | number | undefined> = {},
): string =>
  [
    `${method} ${path} HTTP/1.1`,
    "Host: test",
    "Connection: close",
    ...Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}: ${value}`],
    ),
    "",
    "",
  ].join("\r\n");
