import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { onTestFinished } from "@effect/vitest";

/**
 * A free port below the ports that the system gives to connections: one of them would take it while the gate is
 * away.
 */
const freePort = async (): Promise<number> => {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const probe = createServer().listen(port, "127.0.0.1");
  const isFree = await once(probe, "listening").then(
    () => true,
    () => false,
  );
  probe.close();
  return isFree ? port : freePort();
};

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
  /**
   * A process that another thread of this one is starting has a copy of the socket from its fork to its exec, and
   * so the port is taken for up to 20 ms after it was closed.
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
