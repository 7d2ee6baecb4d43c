import { Id, Session } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, viewer } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { paging } from "./Query.ts";

/** The body that starts a session. */
export const SessionCreate = Schema.Union([
  Schema.Struct({
    apiKey: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(4_096)).annotateKey({
      description: "An API key of a user, 1 to 4,096 characters.",
    }),
  }),
  Schema.Struct({
    signInToken: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(4_096)).annotateKey({
      description:
        "The token of the link that `quartermaster serve` prints to a terminal, 1 to 4,096 characters.",
    }),
  }),
]).annotate({ identifier: "SessionCreate", description: "The body that starts a session." });

const create = HttpApiEndpoint.post("create", "/api/session", {
  payload: SessionCreate,
  success: Session.SessionCreated.pipe(HttpApiSchema.status(201)),
  error: [Problem.Unauthenticated, Problem.Forbidden, Problem.LimitExceeded],
}).annotateMerge(
  about({
    summary: "Start a session",
    description:
      "By an API key, or by the sign-in token of the link that `quartermaster serve` prints: it works once, for 5 minutes. Returns who the caller is and the session's secret, and sets the cookie `qm_session` (over HTTPS `__Host-qm_session`, below a path prefix `__Secure-qm_session`). Writes by cookie need the secret in the header `Quartermaster-Session`. An agent's key cannot start a session (403).",
    access: null,
    idempotencyKey: "refused",
  }),
);

const get = HttpApiEndpoint.get("get", "/api/session", {
  success: Session.SessionInfo,
}).annotateMerge(
  about({
    summary: "Get the caller",
    description: "By key or by cookie. `expiresAt` is null for a key that never expires.",
    access: viewer,
  }),
);

const end = HttpApiEndpoint.delete("end", "/api/session", {
  success: HttpApiSchema.NoContent,
}).annotateMerge(
  about({
    summary: "End the session",
    description:
      "The cookie and its bearer tokens stop working immediately. Without a session nothing happens. By cookie, from the same origin; the session's secret is not needed.",
    access: viewer,
    needsSessionSecret: false,
  }),
);

const token = HttpApiEndpoint.post("token", "/api/session/token", {
  success: Session.SessionToken.pipe(HttpApiSchema.status(201)),
  error: Problem.LimitExceeded,
}).annotateMerge(
  about({
    summary: "Create a bearer token",
    description:
      "By cookie, from the same origin, with the session's secret: a bearer token of 15 minutes for the same principal, for the routes that take no cookie. A session has at most 100 valid tokens.",
    access: viewer,
    idempotencyKey: "refused",
  }),
);

const list = HttpApiEndpoint.get("list", "/api/sessions", {
  query: paging,
  success: Schema.Array(Session.LoginSession),
}).annotateMerge(
  about({
    summary: "List sessions",
    description:
      "The sessions that the caller's key started, and all sessions for an Owner that is bound to no project. The most recently used first by default; paged.",
    access: viewer,
  }),
);

const endOther = HttpApiEndpoint.delete("endOther", "/api/sessions/:sessionId", {
  params: { sessionId: Id.ServiceId.annotateKey({ description: "The session's id." }) },
  success: HttpApiSchema.NoContent,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "End a session of the list",
    description: "Its cookie and its bearer tokens stop working immediately.",
    access: viewer,
  }),
);

/** Sessions of people in a browser. */
export class SessionApi extends HttpApiGroup.make("session")
  .add(get, end, token, list, endOther)
  .middleware(Conventions)
  .middleware(Authorization)
  .add(create.middleware(Conventions))
  .annotateMerge(
    OpenApi.annotations({ title: "Session", description: "Sessions of people in a browser." }),
  ) {}
