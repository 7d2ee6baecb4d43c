import { Imports, type InstalledServer, McpServers } from "@quartermaster/core";
import { Effect } from "effect";
import * as Group from "./Group.ts";
import { Api } from "../api/Api.ts";
import * as Answer from "./Answer.ts";

const urlOf = ({ id }: InstalledServer.InstalledServer) => `/api/mcp/installed/${id}`;

export const layer = Group.group(
  Api,
  "servers",
  Effect.fnUntraced(function* (handlers) {
    const servers = yield* McpServers.McpServers;
    const imports = yield* Imports.Imports;

    return handlers.handleAll({
      list: () => Answer.ok(servers.list),
      install: ({ payload }) => Answer.created(servers.install(payload), urlOf),
      get: ({ params }) => Answer.ok(servers.get(params.serverId)),
      update: ({ params, payload }) => Answer.ok(servers.update(params.serverId, payload)),
      uninstall: ({ params }) => Answer.noContent(servers.uninstall(params.serverId)),
      verify: ({ params, query }) => Answer.ok(servers.verify(params.serverId, query)),
      enable: ({ params }) => Answer.noContent(servers.enable(params.serverId)),
      disable: ({ params }) => Answer.noContent(servers.disable(params.serverId)),
      tools: ({ params }) => Answer.ok(servers.tools(params.serverId)),
      access: ({ params }) => Answer.ok(servers.access(params.serverId)),
      putAccess: ({ params, payload }) => Answer.ok(servers.putAccess(params.serverId, payload)),
      import: ({ payload }) => Answer.ok(imports.install(payload)),
    });
  }),
);
