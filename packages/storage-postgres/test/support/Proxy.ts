import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/**
 * A network between servers and the database. While it is silent, it accepts connections and passes
 * on nothing, not even an end, as a network that drops packets.
 */
export class Proxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Sockets whose peer was closed during the silence. */
  readonly #orphans = new Set<Socket>();
  #isSilent = false;
  #lastWords: { readonly text: string; readonly said: () => void } | undefined;
  #target: number;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
  }

  static async to(port: number): Promise<Proxy> {
    const server = createServer();
    const proxy = new Proxy(server, port);
    server.on("connection", (client) => {
      const database = connect(proxy.#target, "127.0.0.1");
      client.on("data", (bytes) => {
        const last = proxy.#lastWords;
        if (last === undefined || !bytes.includes(last.text)) return;
        proxy.silence(true);
        last.said();
      });
      for (const [from, into] of [
        [client, database],
        [database, client],
      ] as const) {
        proxy.#sockets.add(from);
        from.on("data", (bytes) => into.write(bytes));
        from.on("error", () => into.destroy());
        from.on("close", () => {
          proxy.#sockets.delete(from);
          if (proxy.#isSilent) proxy.#orphans.add(into);
          else into.destroy();
        });
        if (proxy.#isSilent) from.pause();
      }
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return address.port;
  }

  /** Stops passing on bytes, or continues. */
  silence(isSilent: boolean): void {
    this.#isSilent = isSilent;
    for (const socket of this.#sockets) {
      if (isSilent) socket.pause();
      else socket.resume();
    }
    if (isSilent) return;
    for (const socket of this.#orphans) socket.destroy();
    this.#orphans.clear();
  }

  /** Falls silent after the first bytes to the database that contain the text, and resolves then. */
  silenceAfter(text: string): Promise<void> {
    return new Promise((said) => {
      this.#lastWords = { text, said };
    });
  }

  /** Leads new connections to another database, as a name that was moved. */
  lead(port: number): void {
    this.#target = port;
  }

  /** Breaks every connection, as a firewall that has forgotten them. */
  breakAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.breakAll();
    this.#server.close();
    await once(this.#server, "close");
  }
}
