import { Errors, Principal, Role, SettingNames } from "@quartermaster/core";
import { Context, Effect } from "effect";
import type { HttpRouter, HttpServerRequest } from "effect/http";
import type { HttpApiEndpoint } from "effect/http-api";
import * as Access from "../api/Access.ts";
import * as Problem from "../api/Problem.ts";
import { HttpOptions } from "../HttpOptions.ts";
import type { Caller } from "../request/Caller.ts";
import * as Connection from "../request/Connection.ts";
import * as Refused from "../request/Refused.ts";
import * as ServedHost from "../request/ServedHost.ts";

const csrf = Refused.from(
  new Problem.Csrf({
    detail:
      "The request came from another origin. Send it from the page of this server, or use an API key.",
  }),
);

const secretRequired = Refused.from(
  new Problem.Csrf({
    detail:
      "Send the session's secret as `Quartermaster-Session`: the response to `POST /api/session` has it. Or use an API key.",
  }),
);

const httpsRequired = Refused.from(
  new Problem.HttpsRequired({
    detail: "The request carries secrets over an unencrypted connection. Send it over HTTPS.",
  }),
);

const forbidden = (detail: string) =>
  Refused.from(new Problem.Forbidden({ detail, requiredRole: null }));

/** Refusals of callers that an endpoint's `only` excludes. */
const excluded: Readonly<Record<NonNullable<Access.Access["only"]>, Refused.Refused>> = {
  unbound: forbidden("This key is bound to projects. Use a key that is not."),
  agentKey: forbidden(
    "Only agent keys are allowed here. Create one with `POST /api/keys` and `agentId`.",
  ),
  person: forbidden("An agent key is not allowed here. A person has to make this request."),
  unboundPerson: forbidden("Only a person whose key is bound to no project can make this request."),
  agent: forbidden(
    "This key may not act for the agent in the path. Use a key of that agent, or a key that is bound to no agent and no projects.",
  ),
};

const below = (requiredRole: Role.Role) => Refused.because(new Errors.Forbidden({ requiredRole }));

/**
 * Refusals of roles below the required one, shared by all 90 endpoints: a refusal per endpoint
 * would be 20 % of the compilation time.
 */
const tooLow: Readonly<Record<Role.Role, Refused.Refused>> = {
  Metrics: below("Metrics"),
  Viewer: below("Viewer"),
  Editor: below("Editor"),
  Admin: below("Admin"),
  Owner: below("Owner"),
};

type PathParams = HttpRouter.RouteContext["Service"]["params"];

const isIncluded = (
  principal: Principal.Principal,
  only: NonNullable<Access.Access["only"]>,
  params: PathParams,
): boolean => {
  if (only === "unbound") return principal.projects === null;
  if (only === "agentKey") return principal.agentId !== null;
  if (only === "person") return principal.agentId === null;
  if (only === "unboundPerson") return principal.projects === null && principal.agentId === null;
  return Principal.actsFor(principal, params["agentId"]);
};

/** Checks an authenticated caller. Returns the refusal, or null if the caller has access. */
export type Guard = (
  caller: Caller,
  request: HttpServerRequest.HttpServerRequest,
  params: PathParams,
) => Refused.Refused | null;

/** Compiles an endpoint's annotations to checks in this order: CSRF, role, kind of key, host, HTTPS. */
export const make = Effect.gen(function* () {
  const settings = yield* HttpOptions;
  const names = yield* SettingNames.SettingNames;
  const foreign = forbidden(
    `Send this to a name that the server is set up for (\`${names.publicUrl}\`, \`${names.allowedHosts}\`), from that origin or an allowed one (\`${names.allowedOrigins}\`).`,
  );
  const { publicUrl, trustedProxies } = settings;
  const connection = Connection.make(trustedProxies);
  const isServed = ServedHost.make({ connection, settings });

  const isSameOrigin = (request: HttpServerRequest.HttpServerRequest): boolean => {
    const { headers } = request;
    const scheme = connection.isSecure(request) ? "https" : "http";
    return (
      headers["sec-fetch-site"] === "same-origin" ||
      (headers["origin"] !== undefined &&
        headers["origin"] === (publicUrl ?? `${scheme}://${headers["host"]}`))
    );
  };

  return (
    { annotations, method }: HttpApiEndpoint.Top,
    { also, only, role }: Access.Access,
  ): Guard => {
    const carriesSecrets = Context.get(annotations, Access.CarriesSecrets);
    const servedHost = Context.get(annotations, Access.ServedHost);
    const writes = method !== "GET";
    const needsSecret = Context.get(annotations, Access.NeedsSessionSecret) ?? writes;

    return ({ by, hasSecret, principal }, request, params) => {
      if (by === "cookie") {
        if (writes && !isSameOrigin(request)) return csrf;
        if (needsSecret && !hasSecret) return secretRequired;
      }
      if (principal.role !== also && !Role.includes(principal.role, role)) return tooLow[role];
      if (only !== undefined && !isIncluded(principal, only, params)) return excluded[only];
      if (servedHost && !isServed(request)) return foreign;
      return carriesSecrets && !connection.isConfidential(request) ? httpsRequired : null;
    };
  };
});
