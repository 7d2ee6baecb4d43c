import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "@effect/vitest";

/**
 * An address in front of a server that comes and goes: a client keeps its URL while the server is away
 * or is another one. It is closed with the test.
 */
export const open = async (behind: { readonly url: string }) => {
  let target = Number(new URL(behind.url).port);
  const sockets = new Set<Socket>();
  /** Whether the next response is lost after the server sent it. */
  let losesNext: ((request: string) => boolean) | null = null;
  let lost = () => {};

  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    let isLosing = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (chunk) => {
      if (losesNext?.(chunk.toString("latin1")) === true) {
        losesNext = null;
        isLosing = true;
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (!isLosing) return void client.write(chunk);
      client.destroy();
      lost();
    });
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  };
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  const port = await listen(0);
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${port}`,
    /** Breaks all connections and refuses further ones. */
    away: close,
    /** Accepts connections again, to this server if one is given. */
    back: async (next: { readonly url: string } = behind) => {
      target = Number(new URL(next.url).port);
      await listen(port);
    },
    /** Loses the response to the next request that has this text. Resolves when it did. */
    lose: (text: string) => {
      losesNext = (request) => request.includes(text);
      return new Promise<void>((resolve) => (lost = resolve));
    },
  };
};
