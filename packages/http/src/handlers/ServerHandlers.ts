import { Imports, type InstalledServer, McpServers } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";

const urlOf = ({ id }: InstalledServer.InstalledServer) => `/api/mcp/installed/${id}`;

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const servers = yield* McpServers.McpServers;
    const imports = yield* Imports.Imports;

    return Handlers.of("servers", {
      list: () => Reply.ok(servers.list),
      install: ({ payload }) => Reply.created(servers.install(payload), urlOf),
      get: ({ params }) => Reply.ok(servers.get(params.serverId)),
      update: ({ params, payload }) => Reply.ok(servers.update(params.serverId, payload)),
      uninstall: ({ params }) => Reply.noContent(servers.uninstall(params.serverId)),
      verify: ({ headers, params, query }) =>
        headers.prefer
          ? Reply.accepted(servers.startVerify(params.serverId, query))
          : Reply.ok(servers.verify(params.serverId, query)),
      enable: ({ headers, params }) =>
        headers.prefer
          ? Reply.accepted(
              Effect.andThen(servers.enable(params.serverId), servers.get(params.serverId)),
            )
          : Reply.noContent(servers.enable(params.serverId)),
      disable: ({ params }) => Reply.noContent(servers.disable(params.serverId)),
      tools: ({ params }) => Reply.ok(servers.tools(params.serverId)),
      acceptTools: ({ params, payload }) => Reply.ok(servers.acceptTools(params.serverId, payload)),
      blockTools: ({ params, payload }) => Reply.ok(servers.blockTools(params.serverId, payload)),
      unblockTools: ({ params, payload }) =>
        Reply.ok(servers.unblockTools(params.serverId, payload)),
      access: ({ params, query }) =>
        Reply.page(query, (page) => servers.access(params.serverId, page)),
      putAccess: ({ params, payload }) => Reply.ok(servers.putAccess(params.serverId, payload)),
      import: ({ payload }) => Reply.ok(imports.install(payload)),
    });
  }),
);
