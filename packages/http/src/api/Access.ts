import type { Principal, Role } from "@quartermaster/core";
import { Context } from "effect";
import { HttpApiMiddleware, OpenApi } from "effect/http-api";
import * as Problem from "./Problem.ts";

/**
 * The callers that an endpoint accepts, as an annotation. The server checks it before it reads the
 * body, and the OpenAPI document describes it.
 */
export interface Access {
  /** The minimum role. */
  readonly role: Role.Role;
  /** A lower role that the endpoint also accepts. */
  readonly also?: Role.Role;
  /** Whether the endpoint accepts a session cookie in addition to bearer keys and tokens. */
  readonly cookie: boolean;
  /**
   * Restricts the endpoint to keys that are not bound to projects, to keys that may act for the
   * agent in the path, to agent keys, to keys that are not agent keys, or to keys that are neither
   * bound to projects nor agent keys.
   */
  readonly only?: "unbound" | "agent" | "agentKey" | "person" | "unboundPerson";
}

/** Annotation: the required access; null for a public endpoint. */
export const Required = Context.Reference<Access | null>(
  "@quartermaster/http/api/Access/Required",
  {
    defaultValue: () => null,
  },
);

/** Annotation: whether the endpoint honors, refuses or (null) ignores an `Idempotency-Key`. */
export const IdempotencyKey = Context.Reference<"honoured" | "refused" | null>(
  "@quartermaster/http/api/Access/IdempotencyKey",
  { defaultValue: () => null },
);

/** Annotation: whether the body may contain secrets, which requires a confidential connection. */
export const CarriesSecrets = Context.Reference<boolean>(
  "@quartermaster/http/api/Access/CarriesSecrets",
  { defaultValue: () => false },
);

/**
 * Annotation: the size in bytes up to which the endpoint accepts a JSON body even if
 * `HttpOptions.maxJsonBytes` is less.
 */
export const JsonBytes = Context.Reference<number>("@quartermaster/http/api/Access/JsonBytes", {
  defaultValue: () => 0,
});

/** Annotation: whether the endpoint checks `Host` and `Origin` against the names of the server. */
export const ServedHost = Context.Reference<boolean>("@quartermaster/http/api/Access/ServedHost", {
  defaultValue: () => false,
});

/**
 * Annotation: whether a request by cookie also requires the session's secret. Null: only if it is a
 * write.
 */
export const NeedsSessionSecret = Context.Reference<boolean | null>(
  "@quartermaster/http/api/Access/NeedsSessionSecret",
  { defaultValue: () => null },
);

/**
 * Authenticates the caller by bearer key or token, or by session cookie, and refuses callers
 * without access.
 */
export class Authorization extends HttpApiMiddleware.Service<
  Authorization,
  { provides: Principal.CurrentPrincipal }
>()("@quartermaster/http/api/Authorization", {
  error: [Problem.Unauthenticated, Problem.RateLimited, Problem.Forbidden, Problem.Csrf],
}) {}

/**
 * The problems that every endpoint can return: media types, limits, malformed values, server
 * failures.
 */
export class Conventions extends HttpApiMiddleware.Service<Conventions>()(
  "@quartermaster/http/api/Conventions",
  {
    error: [
      Problem.InvalidRequest,
      Problem.PayloadTooLarge,
      Problem.UnsupportedMediaType,
      Problem.RateLimited,
      Problem.Internal,
      Problem.Unavailable,
    ],
  },
) {}

/**
 * Annotates an endpoint with its summary, its description and the callers that it accepts.
 * `bodyIsOptional` documents that a missing body means `{}`; the generator marks every body as
 * required.
 */
export const about = (options: {
  readonly summary: string;
  readonly description: string;
  readonly access: Access | null;
  readonly idempotencyKey?: "honoured" | "refused";
  readonly carriesSecrets?: boolean;
  readonly jsonBytes?: number;
  readonly servedHost?: boolean;
  readonly needsSessionSecret?: boolean;
  readonly bodyIsOptional?: boolean;
}): Context.Context<never> => {
  const { access } = options;
  const security =
    access === null ? [] : [{ bearer: [] }, ...(access.cookie ? [{ session: [] }] : [])];
  return Context.empty().pipe(
    Context.add(Required, access),
    Context.add(IdempotencyKey, options.idempotencyKey ?? null),
    Context.add(CarriesSecrets, options.carriesSecrets ?? false),
    Context.add(JsonBytes, options.jsonBytes ?? 0),
    Context.add(ServedHost, options.servedHost ?? false),
    Context.add(NeedsSessionSecret, options.needsSessionSecret ?? null),
    Context.merge(
      OpenApi.annotations({
        summary: options.summary,
        description:
          access === null
            ? options.description
            : `${options.description}\n\nRole: ${access.role} or above${access.also === undefined ? "" : `, or ${access.also}`}.`,
        override: { security },
        transform: (operation) =>
          options.bodyIsOptional
            ? { ...operation, requestBody: { ...operation["requestBody"], required: false } }
            : operation,
      }),
    ),
  );
};

export const viewer: Access = { role: "Viewer", cookie: true };
export const editor: Access = { role: "Editor", cookie: true };

/** Required for changes to the catalog: an Owner's bearer token that is bound to no project. */
export const owner: Access = { role: "Owner", cookie: false, only: "unbound" };

/** Required for managing MCP servers and keys: a bearer token that is bound to no project. */
export const management: Access = { role: "Admin", cookie: false, only: "unbound" };
