import type { Principal, Role } from "@quartermaster/core";
import { Context } from "effect";
import { HttpApiMiddleware, OpenApi } from "effect/http-api";
import * as Problem from "./Problem.ts";

/**
 * Who may call an endpoint, written on the endpoint itself: the server judges by it before it
 * reads the body, and the OpenAPI document tells it.
 */
export interface Access {
  /** The least role. */
  readonly role: Role.Role;
  /** Whether a session cookie is good for it, or a bearer's key or token alone. */
  readonly cookie: boolean;
  /**
   * Who is meant: not those that are bound to projects; those alone that act for the agent of the
   * path; or agents' keys alone.
   */
  readonly only?: "unbound" | "agent" | "agentKey";
}

/** Annotation: null for what anyone may call. */
export const Required = Context.Reference<Access | null>(
  "@quartermaster/http/api/Access/Required",
  {
    defaultValue: () => null,
  },
);

/** Annotation: what becomes of an `Idempotency-Key`: honoured, refused, or (null) not looked at. */
export const IdempotencyKey = Context.Reference<"honoured" | "refused" | null>(
  "@quartermaster/http/api/Access/IdempotencyKey",
  { defaultValue: () => null },
);

/** Annotation: whether what is sent may be secret, which takes a connection that nobody can read. */
export const CarriesSecrets = Context.Reference<boolean>(
  "@quartermaster/http/api/Access/CarriesSecrets",
  { defaultValue: () => false },
);

/** Annotation: whether it answers under the names that it is served at alone, and no other origin. */
export const ServedHost = Context.Reference<boolean>("@quartermaster/http/api/Access/ServedHost", {
  defaultValue: () => false,
});

/** Finds out who calls, and refuses who may not: bearer's key or token, or session cookie. */
export class Authorization extends HttpApiMiddleware.Service<
  Authorization,
  { provides: Principal.CurrentPrincipal }
>()("@quartermaster/http/api/Authorization", {
  error: [Problem.Unauthenticated, Problem.RateLimited, Problem.Forbidden, Problem.Csrf],
}) {}

/** What holds for every endpoint: media types, limits, well-formed values, and what may befall any server. */
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
  readonly servedHost?: boolean;
  readonly bodyIsOptional?: boolean;
}): Context.Context<never> => {
  const { access } = options;
  const security =
    access === null ? [] : [{ bearer: [] }, ...(access.cookie ? [{ session: [] }] : [])];
  return Context.empty().pipe(
    Context.add(Required, access),
    Context.add(IdempotencyKey, options.idempotencyKey ?? null),
    Context.add(CarriesSecrets, options.carriesSecrets ?? false),
    Context.add(ServedHost, options.servedHost ?? false),
    Context.merge(
      OpenApi.annotations({
        summary: options.summary,
        description:
          access === null
            ? options.description
            : `${options.description}\n\nRole: ${access.role} or above.`,
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

/** Who manages MCP servers and keys: a bearer that is bound to no project. */
export const management: Access = { role: "Admin", cookie: false, only: "unbound" };
