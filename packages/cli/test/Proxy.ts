import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "@effect/vitest";

/**
 * A proxy between a command and a server.
 *
 * - `open`: passes every request on.
 * - `away`: closes the connection.
 * - `busy`: responds with 429.
 * - `deaf`: passes the request on, and closes the connection instead of responding.
 */
export class Proxy {
  mode: "open" | "away" | "busy" | "deaf" = "open";
  url = "";
  /** The number of requests that arrived. */
  requests = 0;

  /**
   * Starts a proxy, which closes when the test ends. `target` may be a server that restarts later.
   */
  static async before(target: string): Promise<Proxy> {
    const proxy = new Proxy();
    const server = createServer((incoming, outgoing) => {
      const { mode } = proxy;
      proxy.requests += 1;
      if (mode === "away") return incoming.socket.destroy();
      if (mode === "busy") {
        const headers = { "content-type": "application/problem+json", "retry-after": "1" };
        const type = "urn:quartermaster:problem:rate-limited";
        const problem = { type, title: "Too many requests", detail: "Wait." };
        return outgoing.writeHead(429, headers).end(JSON.stringify(problem));
      }
      const { headers, method, url = "" } = incoming;
      const forward = request(`${target}${url}`, { method, headers }, (response) => {
        if (mode === "deaf") {
          response.resume().once("end", () => incoming.socket.destroy());
          return;
        }
        outgoing.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(outgoing);
      });
      forward.on("error", () => incoming.socket.destroy());
      return incoming.pipe(forward);
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    proxy.url = `http://127.0.0.1:${port}`;
    return proxy;
  }
}
