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
      description: "The token of a sign-in link, 1 to 4,096 characters.",
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
      "Requires an API key, or the token of a sign-in link, which `quartermaster open` prints; the token works once, within 5 minutes. Returns the caller and the session's secret, and sets the cookie `qm_session` (over HTTPS `__Host-qm_session`, below a path prefix `__Secure-qm_session`). Writes by cookie need the secret in the header `Quartermaster-Session`. An agent key cannot start a session and gets 403.",
    access: null,
    idempotencyKey: "refused",
  }),
);

const get = HttpApiEndpoint.get("get", "/api/session", {
  success: Session.SessionInfo,
}).annotateMerge(
  about({
    summary: "Get the caller",
    description:
      "Returns the principal of the key or cookie. `expiresAt` is null for a key that never expires.",
    access: viewer,
  }),
);

const end = HttpApiEndpoint.delete("end", "/api/session", {
  success: HttpApiSchema.NoContent,
}).annotateMerge(
  about({
    summary: "End the session",
    description:
      "The cookie and its bearer tokens stop working immediately. Without a session the request changes nothing. Requires the same origin, but not the session's secret.",
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
      "Returns a bearer token for the routes that accept no cookie. It belongs to the same principal and expires after 15 minutes. Requires the session cookie with the session's secret, and the same origin. A session has at most 100 valid tokens.",
    access: viewer,
    idempotencyKey: "refused",
  }),
);

const link = HttpApiEndpoint.post("link", "/api/session/link", {
  success: Session.SignInLink.pipe(HttpApiSchema.status(201)),
}).annotateMerge(
  about({
    summary: "Create a sign-in link",
    description:
      "Returns the token of a link that signs in to the dashboard as the caller's key, once, within 5 minutes. Requires the key itself: the token of a session creates no link.",
    access: { role: "Admin", cookie: false, only: "person" },
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
      "Returns the sessions that the caller's key started, or every session for an Owner that is bound to no project; the most recently used first by default; paged.",
    access: viewer,
  }),
);

const endOther = HttpApiEndpoint.delete("endOther", "/api/sessions/:sessionId", {
  params: { sessionId: Id.ServiceId.annotateKey({ description: "The session's id." }) },
  success: HttpApiSchema.NoContent,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "End another session",
    description: "The cookie of the session and its bearer tokens stop working immediately.",
    access: viewer,
  }),
);

/** Sessions of people in a browser. */
export class SessionApi extends HttpApiGroup.make("session")
  .add(get, end, token, link, list, endOther)
  .middleware(Conventions)
  .middleware(Authorization)
  .add(create.middleware(Conventions))
  .annotateMerge(
    OpenApi.annotations({ title: "Session", description: "Sessions of people in a browser." }),
  ) {}
