// Stands between the conformance suite and /mcp. The suite has no key, which the proxy adds, and calls tools and reads
// resources by fixed names: the proxy adds the name of their server to requests, and takes it off responses.
import { createServer, request } from "node:http";
import { Transform } from "node:stream";
import { text } from "node:stream/consumers";

/** Replaces in whole lines: a message is on one. */
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

/** The proxy for the server of that name, whose tools are these. */
export const proxy = ({ key, server, tools, url }) => {
  const prefix = `${server}__`;
  const scheme = `qm+${server}+`;

  const named = (body) => {
    if (body === "") return body;
    const message = JSON.parse(body);
    const { params } = message;
    if (tools.includes(params?.name)) params.name = prefix + params.name;
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
