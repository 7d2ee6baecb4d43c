import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { getConnInfo } from "@hono/node-server/conninfo";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import type { Mount } from "../../src/Mount.ts";

/** Web frameworks on 127.0.0.1 with Quartermaster at a prefix and their own route `/hello`. */

export interface Host {
  readonly url: string;
  readonly close: () => Promise<void>;
}

export interface Options {
  readonly mount: Mount;
  readonly prefix: string;
  /** Whether a parser of the host reads bodies first, which no host should do. */
  readonly parsesBodies: boolean;
}

const urlOf = (server: { address(): AddressInfo | string | null }): string => {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The host does not listen");
  return `http://127.0.0.1:${address.port}`;
};

const closed = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

const onExpress = async ({ mount, parsesBodies, prefix }: Options): Promise<Host> => {
  const app = express();
  if (parsesBodies) app.use(express.json());
  app.get("/hello", (_request, response) => void response.send("Hello"));
  app.use(prefix || "/", mount.node);
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return { url: urlOf(server), close: () => closed(server) };
};

const onFastify = async ({ mount, parsesBodies, prefix }: Options): Promise<Host> => {
  const app = fastify({ forceCloseConnections: true });
  app.get("/hello", () => "Hello");
  await app.register(async (scope) => {
    if (!parsesBodies) {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    }
    scope.all(`${prefix}/*`, (request, reply) => {
      reply.hijack();
      mount.node(request.raw, reply.raw);
    });
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return { url: urlOf(app.server), close: () => app.close() };
};

const onHono = async ({ mount, parsesBodies, prefix }: Options): Promise<Host> => {
  const app = new Hono();
  if (parsesBodies) {
    app.use(async (context, next) => {
      await context.req.raw.text();
      await next();
    });
  }
  app.get("/hello", (context) => context.text("Hello"));
  app.all(`${prefix}/*`, (context) => mount.fetch(context.req.raw, getConnInfo(context).remote));
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }) as Server;
  await new Promise((resolve) => server.once("listening", resolve));
  return { url: urlOf(server), close: () => closed(server) };
};

/** Node's own server, without a framework. */
const onNode = async ({ mount }: Options): Promise<Host> => {
  const server = createServer((request, response) =>
    request.url === "/hello" ? response.end("Hello") : mount.node(request, response),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: urlOf(server), close: () => closed(server) };
};

export const hosts = { Express: onExpress, Fastify: onFastify, Hono: onHono, Node: onNode };
