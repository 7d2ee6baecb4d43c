import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { onTestFinished } from "@effect/vitest";
import { freePort } from "../../http/test/support/freePort.ts";

/**
 * A network address in front of a server: a client retains its URL while the server is unreachable
 * or replaced. The gate closes when the test ends.
 */
export const open = async (behind: { readonly url: string }) => {
  let target = Number(new URL(behind.url).port);
  const sockets = new Set<Socket>();
  /**
   * Given a request's text, decides whether the gate loses the next response after the server sent
   * it.
   */
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
  /**
   * Listens on the port, and retries while it is in use. A process that another thread starts has a
   * copy of the socket from its fork to its exec, so the port stays in use for up to 20 ms after
   * its close.
   */
  const listen = async (port: number, attempts = 100): Promise<number> => {
    server.listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
      return port;
    } catch (cause) {
      if (attempts === 1) throw cause;
      await setTimeout(10);
      return listen(port, attempts - 1);
    }
  };
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  const port = await listen(await freePort());
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${port}`,
    /** Breaks all connections and refuses further ones. */
    away: close,
    /** Accepts connections again, and passes them to this server. Default: the same server. */
    back: async (next: { readonly url: string } = behind) => {
      target = Number(new URL(next.url).port);
      await listen(port);
    },
    /** Loses the response to the next request with this text. Resolves when it is lost. */
    lose: (text: string) => {
      losesNext = (request) => request.includes(text);
      return new Promise<void>((resolve) => (lost = resolve));
    },
  };
};
