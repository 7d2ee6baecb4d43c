import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { agentsSearch } from "../agents/search.ts";
import { auditSearch } from "../audit/search.ts";
import { graphSearch } from "../graph/search.ts";
import { inboxSearch } from "../inbox/search.ts";
import { issueSearch } from "../issue/common/search.ts";
import { keysSearch } from "../keys/search.ts";
import { overviewSearch } from "../overview/search.ts";
import { parseSearch, stringifySearch } from "../parts/searchText.ts";
import { runsSearch } from "../runs/search.ts";
import { accessSearch, catalogSearch, serverSearch } from "../servers/search.ts";
import { toolsSearch } from "../tools/search.ts";
import { webhookSearch } from "../webhooks/search.ts";
import { lastSearch } from "../work/remembered.ts";
import { workSearch } from "../work/search.ts";
import { NotFound } from "./NotFound.tsx";
import { ScreenFailed } from "./ScreenFailed.tsx";
import { Shell } from "./Shell.tsx";

/** The screens. Each is a separate chunk, loaded on navigation or when the pointer is over its link. */

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/inbox" });
  },
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: "/inbox",
  validateSearch: inboxSearch,
  component: lazyRouteComponent(() => import("../inbox/Inbox.tsx"), "Inbox"),
});

const work = createRoute({
  getParentRoute: () => root,
  path: "/work",
  validateSearch: workSearch,
  beforeLoad: ({ cause, search }) => {
    const isBare = Object.values(search).every((value) => value === undefined);
    const last = lastSearch();
    if (cause !== "enter" || !isBare || last === null) return;
    throw redirect({ to: "/work", search: last, replace: true });
  },
  component: lazyRouteComponent(() => import("../work/Work.tsx"), "Work"),
});

const issue = createRoute({
  getParentRoute: () => root,
  path: "/issues/$issueId",
  validateSearch: issueSearch,
  component: lazyRouteComponent(() => import("../issue/IssuePage.tsx"), "IssuePage"),
});

const projects = createRoute({
  getParentRoute: () => root,
  path: "/projects",
  component: lazyRouteComponent(() => import("../projects/Projects.tsx"), "Projects"),
});

const project = createRoute({
  getParentRoute: () => root,
  path: "/projects/$projectId",
  component: lazyRouteComponent(() => import("../projects/ProjectPage.tsx"), "ProjectPage"),
});

const servers = createRoute({
  getParentRoute: () => root,
  path: "/servers",
  component: lazyRouteComponent(() => import("../servers/list/Servers.tsx"), "Servers"),
});

const catalog = createRoute({
  getParentRoute: () => root,
  path: "/servers/catalog",
  validateSearch: catalogSearch,
  component: lazyRouteComponent(() => import("../servers/catalog/Catalog.tsx"), "Catalog"),
});

const entry = createRoute({
  getParentRoute: () => root,
  path: "/servers/catalog/$entryId",
  component: lazyRouteComponent(() => import("../servers/catalog/Entry.tsx"), "Entry"),
});

const server = createRoute({
  getParentRoute: () => root,
  path: "/servers/$serverId",
  validateSearch: serverSearch,
  component: lazyRouteComponent(() => import("../servers/server/Server.tsx"), "Server"),
});

const access = createRoute({
  getParentRoute: () => root,
  path: "/servers/access",
  validateSearch: accessSearch,
  component: lazyRouteComponent(() => import("../servers/access/AccessMatrix.tsx"), "AccessMatrix"),
});

const tools = createRoute({
  getParentRoute: () => root,
  path: "/tools",
  validateSearch: toolsSearch,
  component: lazyRouteComponent(() => import("../tools/Tools.tsx"), "Tools"),
});

const keys = createRoute({
  getParentRoute: () => root,
  path: "/keys",
  validateSearch: keysSearch,
  component: lazyRouteComponent(() => import("../keys/Keys.tsx"), "Keys"),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: "/audit",
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("../audit/Audit.tsx"), "Audit"),
});

const webhooks = createRoute({
  getParentRoute: () => root,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("../webhooks/Webhooks.tsx"), "Webhooks"),
});

const webhook = createRoute({
  getParentRoute: () => root,
  path: "/webhooks/$webhookId",
  validateSearch: webhookSearch,
  component: lazyRouteComponent(() => import("../webhooks/WebhookPage.tsx"), "WebhookPage"),
});

const agents = createRoute({
  getParentRoute: () => root,
  path: "/agents",
  validateSearch: agentsSearch,
  component: lazyRouteComponent(() => import("../agents/Agents.tsx"), "Agents"),
});

const agent = createRoute({
  getParentRoute: () => root,
  path: "/agents/$agentId",
  component: lazyRouteComponent(() => import("../agents/AgentPage.tsx"), "AgentPage"),
});

const runs = createRoute({
  getParentRoute: () => root,
  path: "/runs",
  validateSearch: runsSearch,
  component: lazyRouteComponent(() => import("../runs/Runs.tsx"), "Runs"),
});

const run = createRoute({
  getParentRoute: () => root,
  path: "/runs/$runId",
  component: lazyRouteComponent(() => import("../runs/RunPage.tsx"), "RunPage"),
});

const overview = createRoute({
  getParentRoute: () => root,
  path: "/overview",
  validateSearch: overviewSearch,
  component: lazyRouteComponent(() => import("../overview/Overview.tsx"), "Overview"),
});

const graph = createRoute({
  getParentRoute: () => root,
  path: "/graph",
  validateSearch: graphSearch,
  component: lazyRouteComponent(() => import("../graph/Graph.tsx"), "Graph"),
});

/** The router of a page served at this URL. */
export const makeRouter = (base: string) =>
  createRouter({
    routeTree: root.addChildren([
      home,
      inbox,
      work,
      issue,
      projects,
      project,
      servers,
      server,
      tools,
      keys,
      audit,
      webhooks,
      webhook,
      catalog,
      entry,
      agents,
      agent,
      runs,
      run,
      overview,
      access,
      graph,
    ]),
    basepath: new URL(base).pathname,
    defaultPreload: "intent",
    defaultErrorComponent: ScreenFailed,
    // Drops parameters that the screen does not declare. Otherwise `useSearch` returns them and requests
    // include them.
    search: { strict: true },
    parseSearch,
    stringifySearch,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
