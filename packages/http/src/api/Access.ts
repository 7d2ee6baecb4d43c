import type { Principal, Role } from "@quartermaster/core";
import { Context } from "effect";
import { HttpApiMiddleware, OpenApi } from "effect/http-api";
import * as Problem from "./Problem.ts";

/**
 * The callers that an endpoint accepts, as an annotation of the endpoint. The server checks it
 * before it reads the body, and the OpenAPI document describes it.
 */
export interface Access {
  /** The least role. */
  readonly role: Role.Role;
  /** A lower role that the endpoint accepts too. */
  readonly also?: Role.Role;
  /** Whether the endpoint accepts a session cookie, or only a bearer's key or token. */
  readonly cookie: boolean;
  /**
   * Restricts the endpoint to keys that are not bound to projects, to keys that may act for the
   * agent in the path, to agents' keys, or to keys of no agent.
   */
  readonly only?: "unbound" | "agent" | "agentKey" | "person";
}

/** Annotation: null for what anyone may call. */
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

/** Annotation: whether the body may have secrets, which requires a confidential connection. */
export const CarriesSecrets = Context.Reference<boolean>(
  "@quartermaster/http/api/Access/CarriesSecrets",
  { defaultValue: () => false },
);

/** Annotation: the bytes of a JSON body that the endpoint takes even if `HttpOptions.maxJsonBytes` is less. */
export const JsonBytes = Context.Reference<number>("@quartermaster/http/api/Access/JsonBytes", {
  defaultValue: () => 0,
});

/** Annotation: whether the endpoint requires a `Host` and an `Origin` that the server is served at. */
export const ServedHost = Context.Reference<boolean>("@quartermaster/http/api/Access/ServedHost", {
  defaultValue: () => false,
});

/** Annotation: whether a write by cookie also requires the session's secret. */
export const NeedsSessionSecret = Context.Reference<boolean>(
  "@quartermaster/http/api/Access/NeedsSessionSecret",
  { defaultValue: () => true },
);

/** Finds out who calls, and refuses who may not: bearer's key or token, or session cookie. */
export class Authorization extends HttpApiMiddleware.Service<
  Authorization,
  { provides: Principal.CurrentPrincipal }
>()("@quartermaster/http/api/Authorization", {
  error: [Problem.Unauthenticated, Problem.RateLimited, Problem.Forbidden, Problem.Csrf],
}) {}

/** The problems of every endpoint: media types, limits, malformed values, and failures of the server. */
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
 * Annotations of an endpoint: its summary, its description and the callers that it accepts.
 * `bodyIsOptional` documents that a request without a body is one with `{}`; the generator marks
 * every body as required.
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
    Context.add(NeedsSessionSecret, options.needsSessionSecret ?? true),
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

/** Required for changes of the catalog: an Owner's bearer that is bound to no project. */
export const owner: Access = { role: "Owner", cookie: false, only: "unbound" };

/** Required for managing MCP servers and keys: a bearer that is bound to no project. */
export const management: Access = { role: "Admin", cookie: false, only: "unbound" };
