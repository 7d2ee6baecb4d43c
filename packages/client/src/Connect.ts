import { agentOf, type RemoteAgent } from "./Agent.ts";
import type { Methods } from "./contract/Methods.ts";
import { routes } from "./contract/Routes.ts";
import type { FetchResponse } from "./Fetch.ts";
import { openEvents } from "./internal/EventSource.ts";
import { form } from "./internal/Form.ts";
import { randomId } from "./internal/Platform.ts";
import { lost, type Request, type Send, sender } from "./internal/Requests.ts";
import type {
  CallOptions,
  ChangeOptions,
  ConnectOptions,
  CreateOptions,
  EventOptions,
  Upload,
} from "./Options.ts";
import { nextOf, pages } from "./Pages.ts";
import type { Route } from "./Route.ts";

/** The methods of the contract by group, such as `issues.create`, and agents. */
export interface Client extends Methods {
  /** An agent whose work this program does: it picks issues up and hands them in. */
  readonly agent: (agentId: string) => RemoteAgent;
}

type Args = Readonly<Record<string, unknown>>;
type AnyOptions = CallOptions & CreateOptions & ChangeOptions & EventOptions;

/** Inserts the arguments into the path. Throws for values that URLs cannot carry. */
const pathOf = (route: Route, args: Args): string =>
  route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = args[name];
    if (typeof value !== "string" || /^\.{0,2}$/.test(value)) {
      throw new TypeError(`${name} must be a string other than "", "." and "..".`);
    }
    return encodeURIComponent(value);
  });

const queryOf = (args: Args): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(args)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item != null) query.append(name, String(item));
    }
  }
  return query.size === 0 ? "" : `?${query}`;
};

const headersOf = (route: Route, options: AnyOptions): Record<string, string> => ({
  ...(route.takesKey === true ? { "idempotency-key": options.idempotencyKey ?? randomId() } : {}),
  ...(options.ifMatch === undefined ? {} : { "if-match": `"${options.ifMatch}"` }),
  ...(options.lastEventId === undefined ? {} : { "last-event-id": options.lastEventId }),
  ...options.headers,
});

const requestOf = (route: Route, args: Args, options: AnyOptions): Request => {
  const { method = "GET" } = route;
  const rest = Object.entries(args).filter(([name]) => !route.path.includes(`{${name}}`));
  const isRead = method === "GET" || method === "DELETE";
  const isInQuery = (name: string) => isRead || route.query?.includes(name) === true;
  const body = Object.fromEntries(rest.filter(([name]) => !isInQuery(name)));
  const query = Object.fromEntries(rest.filter(([name]) => isInQuery(name)));
  const upload = route.body === "form" ? form(body as unknown as Upload) : null;
  const isJson =
    upload === null && !isRead && (route.body === "json" || Object.keys(body).length > 0);
  return {
    method,
    path: pathOf(route, args) + queryOf(query),
    headers: {
      ...upload?.headers,
      ...(isJson ? { "content-type": "application/json" } : {}),
      ...headersOf(route, options),
    },
    body: isJson ? JSON.stringify(body) : upload?.body,
    signal: options.signal,
    isRaw: route.returns === "response",
    isRepeatable: method !== "POST" || (route.takesKey === true && upload?.isRepeatable !== false),
  };
};

const methodOf = (route: Route, send: Send, url: string) => {
  const receive = async <A>(
    args: Args,
    options: AnyOptions,
    read: (response: FetchResponse) => Promise<A>,
  ): Promise<A> => {
    const response = await send(requestOf(route, args, options));
    return read(response).catch((cause: unknown) => {
      throw lost(url, cause, options.signal);
    });
  };

  return (args: Args = {}, options: AnyOptions = {}): unknown => {
    switch (route.returns) {
      case "pages":
        return pages((cursor) =>
          receive(cursor === undefined ? args : { ...args, cursor }, options, async (response) => ({
            items: await response.json(),
            next: nextOf(response.headers.get("link")),
          })),
        );
      case "events":
        return openEvents(
          async (lastEventId, signal) =>
            send(requestOf(route, args, { ...options, lastEventId, signal })),
          options,
        );
      case "response":
        return receive(args, options, (response) => Promise.resolve(response));
      case "nothing":
        return receive(args, options, async (response) => void (await response.arrayBuffer()));
      case "text":
        return receive(args, options, (response) => response.text());
      default:
        return receive(args, options, (response) => response.json());
    }
  };
};

/**
 * Connects to a server: returns a method for each endpoint, and makes no request.
 *
 * A method takes one object with the arguments of path, query and body, and then options. It
 * rejects with a `Problem` if the server refuses the call, with `Unreachable` if there is no
 * response, and with the signal's reason after an abort. The server refuses unknown arguments.
 */
export const connect = (options: ConnectOptions): Client => {
  const url = String(options.url).replace(/\/+$/, "");
  const send = sender(options, url);
  const groups = Object.fromEntries(
    Object.entries(routes).map(([group, methods]) => [
      group,
      Object.fromEntries(
        Object.entries(methods).map(([name, route]) => [name, methodOf(route, send, url)]),
      ),
    ]),
  );
  // The generator writes `Methods` and `routes` from the same contract.
  const methods = groups as unknown as Methods;
  return { ...methods, agent: (agentId) => agentOf(methods, agentId) };
};
