// A proxy between the conformance suite and /mcp. The suite has no key, and calls tools, reads resources
// and gets prompts by fixed names. The proxy adds the key, adds the server's name to the names in
// requests, and removes it from the names in responses.
import { createServer, request } from "node:http";
import { Transform } from "node:stream";
import { text } from "node:stream/consumers";

/** Replaces texts in whole lines: each message is on one line. */
const replacing = (replacements) => {
  let rest = "";
  const replaced = (line) =>
    replacements.reduce((all, [from, to]) => all.replaceAll(from, to), line);
  return new Transform({
    decodeStrings: false,
    transform(chunk, _, done) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop();
      done(null, lines.map((line) => `${replaced(line)}\n`).join(""));
    },
    flush(done) {
      done(null, replaced(rest));
    },
  });
};

/** Starts the proxy for the server with this name, and these names of tools and prompts. */
export const proxy = ({ key, server, names, url }) => {
  const prefix = `${server}__`;
  const scheme = `qm+${server}+`;

  const named = (body) => {
    if (body === "") return body;
    const message = JSON.parse(body);
    const { params } = message;
    for (const named of [params, params?.ref]) {
      if (names.includes(named?.name)) named.name = prefix + named.name;
    }
    if (params?.uri !== undefined) params.uri = scheme + params.uri;
    return JSON.stringify(message);
  };

  return createServer(async (incoming, outgoing) => {
    const { "content-length": _, ...headers } = incoming.headers;
    const body = named(await text(incoming));
    const passed = request(
      {
        host: url.hostname,
        port: url.port,
        method: incoming.method,
        path: incoming.url,
        headers: {
          ...headers,
          authorization: `Bearer ${key}`,
          ...(body === "" ? {} : { "content-length": Buffer.byteLength(body) }),
        },
      },
      (answer) => {
        const { "content-length": __, ...headers } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 500, headers);
        outgoing.flushHeaders();
        answer
          .setEncoding("utf8")
          .pipe(
            replacing([
              [prefix, ""],
              [scheme, ""],
            ]),
          )
          .pipe(outgoing);
      },
    );
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    passed.end(body);
  });
};
