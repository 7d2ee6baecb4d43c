// Runs the official conformance suite against /mcp of the built server. What is expected to fail
// is in conformance-expected.yml, with reasons; the suite fails when that list is not exact.
import { once } from "node:events";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { withServer } from "./ci/built-server.mjs";
import { start } from "./ci/processes.mjs";
import { suite as specifier } from "./conformance-suite.mjs";

/** The suite has no keys: this adds one, and passes everything else on as it is, Host and all. */
const withKey = (url, key) =>
  createServer((incoming, outgoing) => {
    const { headers, method, url: path } = incoming;
    const passed = request(
      {
        host: url.hostname,
        port: url.port,
        method,
        path,
        headers: { ...headers, authorization: `Bearer ${key}` },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        outgoing.flushHeaders();
        answer.pipe(outgoing);
      },
    );
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });

await withServer(async ({ key, url }) => {
  const proxy = withKey(new URL(url), key).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const suite = start(
    "npx",
    [
      "--yes",
      specifier,
      "server",
      "--url",
      `http://localhost:${proxy.address().port}/mcp`,
      "--expected-failures",
      join(import.meta.dirname, "conformance-expected.yml"),
    ],
    // Elsewhere, so that the suite has the packages it was published with.
    { stdio: "inherit" },
  );
  const [code] = await once(suite, "close");
  process.exitCode = code ?? 1;
  proxy.close();
  proxy.closeAllConnections();
});
