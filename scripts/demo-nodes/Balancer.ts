import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/**
 * A balancer: each connection goes to the next node in turn, and to another one if that node does not accept it.
 * It knows nothing of HTTP, so no request returns to a node because of the one before.
 */
export const start = async (ports: ReadonlyArray<number>) => {
  let next = 0;
  const join = (client: Socket, tries: number) => {
    const port = ports[next++ % ports.length] ?? 0;
    const node = connect(port, "127.0.0.1");
    let isJoined = false;
    node.once("connect", () => {
      isJoined = true;
      client.pipe(node).pipe(client);
    });
    node.on("error", () => {
      if (!isJoined && tries > 1) join(client, tries - 1);
      else client.destroy();
    });
    node.once("close", () => {
      if (isJoined) client.destroy();
    });
    client.on("error", () => node.destroy());
    client.once("close", () => node.destroy());
  };
  const server = createServer((client) => join(client, ports.length)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The balancer has no port.");
  server.unref();
  return { url: `http://127.0.0.1:${address.port}` };
};
