import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * A free port below the range that the system assigns: a connection, or a server on any port, could take a port of
 * that range before the test listens on it.
 */
export const freePort = async (): Promise<number> => {
  const port = randomInt(20_000, 30_000);
  const probe = createServer().listen(port, "127.0.0.1");
  const isFree = await once(probe, "listening").then(
    () => true,
    () => false,
  );
  if (!isFree) return freePort();
  probe.close();
  await once(probe, "close");
  return port;
};
