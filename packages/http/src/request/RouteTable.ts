import { FindMyWay } from "effect/http";
import { HttpApi } from "effect/http-api";
import { Api } from "../api/Api.ts";

/** Router rules: exact matches, and segments long enough for every id that the contract allows. */
export const routerConfig: Partial<FindMyWay.RouterConfig> = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 8_192,
};

const table = (): FindMyWay.Router<Set<string>> => {
  const methods = new Map<string, Set<string>>();
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      // Routes that differ only in parameter names have the same path.
      const path = endpoint.path.replaceAll(/:\w+/g, ":id");
      const known = methods.get(path) ?? new Set();
      known.add(endpoint.method);
      if (endpoint.method === "GET") known.add("HEAD");
      methods.set(path, known);
    },
  });
  const router = FindMyWay.make<Set<string>>(routerConfig);
  for (const [path, known] of methods) router.on("GET", path as FindMyWay.PathInput, known);
  return router;
};

const routes = table();

/** Whether a segment below `/api/` is empty. The router would match it as an empty id. */
export const hasEmptySegment = (url: string): boolean => /^\/api\/[^?]*\/([/?]|$)/.test(url);

/** The methods of the contract's routes at the path; undefined if no route matches. */
export const methodsAt = (url: string): ReadonlyArray<string> | undefined => {
  // An empty segment is not an id.
  if (/^[^?]*\/([/?]|$)/.test(url)) return undefined;
  const found = routes.find("GET", url);
  return found === undefined ? undefined : [...found.handler].toSorted();
};

/** Whether the URL is the one of the agents' endpoint. */
export const isAgentsEndpoint = (url: string): boolean => /^\/mcp(\?|$)/.test(url);
