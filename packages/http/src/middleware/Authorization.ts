import { Errors, Principal, Role } from "@quartermaster/core";
import { Context, Effect, Layer } from "effect";
import { HttpRouter, HttpServerRequest } from "effect/http";
import * as Access from "../api/Access.ts";
import * as Problem from "../api/Problem.ts";
import { HttpOptions } from "../HttpOptions.ts";
import { type Caller, Callers, CurrentCaller } from "./Caller.ts";
import * as Connection from "./Connection.ts";
import { RateLimits } from "./RateLimits.ts";
import * as Refused from "./Refused.ts";
import * as ServedHost from "./ServedHost.ts";

const csrf = new Problem.Csrf({
  detail: "Send this request from the page that this server serves, or use an API key.",
});

const httpsRequired = new Problem.HttpsRequired({
  detail: "Send this over HTTPS: it carries secrets, and others may read this connection.",
});

const tooMany = new Problem.RateLimited({
  detail: "Wait as long as `Retry-After` says: this key makes too many requests.",
});

const forbidden = (detail: string) =>
  Refused.from(new Problem.Forbidden({ detail, requiredRole: null }));

const foreign = forbidden(
  "Send this to the address that the server is set up for (`QM_PUBLIC_URL`), from no other origin.",
);

/** Who an endpoint is meant for, to those who are not. */
const notMeant: Readonly<Record<NonNullable<Access.Access["only"]>, Refused.Refused>> = {
  unbound: forbidden("Use a key that is bound to no projects."),
  agentKey: forbidden("Use an agent's own key: `POST /api/keys` with `agentId` makes one."),
  agent: forbidden(
    "Use a key of the agent in the path, or one that is bound to no agent and to no projects.",
  ),
};

/** Whether the principal is one that the endpoint is meant for, its role apart. */
const isMeant = (
  principal: Principal.Principal,
  only: NonNullable<Access.Access["only"]>,
  params: HttpRouter.RouteContext["Service"]["params"],
): boolean => {
  if (only === "unbound") return principal.projects === null;
  if (only === "agentKey") return principal.agentId !== null;
  return Principal.actsFor(principal, params["agentId"]);
};

/** Judges, in this order: who calls, whether not too often, from where, and whether they may. */
export const layer = Layer.effect(
  Access.Authorization,
  Effect.gen(function* () {
    const callers = yield* Callers;
    const limits = yield* RateLimits;
    const { host, publicUrl, trustedProxies } = yield* HttpOptions;
    const connection = Connection.make(trustedProxies);
    const isServed = ServedHost.make({ connection, host, publicUrl });

    const isSameOrigin = (request: HttpServerRequest.HttpServerRequest): boolean => {
      const { headers } = request;
      const scheme = connection.isSecure(request) ? "https" : "http";
      return (
        headers["sec-fetch-site"] === "same-origin" ||
        (headers["origin"] !== undefined &&
          headers["origin"] === (publicUrl ?? `${scheme}://${headers["host"]}`))
      );
    };

    return Access.Authorization.of((app, { endpoint }) => {
      const access = Context.get(endpoint.annotations, Access.Required);
      if (access === null) {
        throw new Error(`${endpoint.identifier} does not say who may call it`);
      }
      const carriesSecrets = Context.get(endpoint.annotations, Access.CarriesSecrets);
      const servedHost = Context.get(endpoint.annotations, Access.ServedHost);
      const writes = endpoint.method !== "GET";
      const tooLow = Refused.because(new Errors.Forbidden({ requiredRole: access.role }));

      const judge = (
        caller: Caller,
        request: HttpServerRequest.HttpServerRequest,
        context: Context.Context<never>,
        wait: number,
      ): Refused.Refused | undefined => {
        if (wait > 0) return Refused.from(tooMany, { "retry-after": String(wait) });
        if (writes && caller.by === "cookie" && !isSameOrigin(request)) return Refused.from(csrf);
        if (!Role.includes(caller.principal.role, access.role)) return tooLow;
        const { params } = Context.getUnsafe(context, HttpRouter.RouteContext);
        if (access.only !== undefined && !isMeant(caller.principal, access.only, params)) {
          return notMeant[access.only];
        }
        if (servedHost && !isServed(request)) return foreign;
        return carriesSecrets && !connection.isConfidential(request)
          ? Refused.from(httpsRequired)
          : undefined;
      };

      return Effect.withFiber((fiber) => {
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest);
        return Effect.matchEffect(callers.identify(request, access.cookie), {
          onFailure: Effect.succeed,
          onSuccess: (caller) =>
            Effect.flatMap(limits.take(caller.keyId), (wait) => {
              const refused = judge(caller, request, fiber.context, wait);
              return refused === undefined
                ? app.pipe(
                    Effect.provideService(Principal.CurrentPrincipal, caller.principal),
                    Effect.provideService(CurrentCaller, caller),
                  )
                : Effect.succeed(refused);
            }),
        });
      });
    });
  }),
);
