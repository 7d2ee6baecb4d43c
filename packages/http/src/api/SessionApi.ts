import { Session } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, viewer } from "./Access.ts";
import * as Problem from "./Problem.ts";

/** The body that starts a session. */
export const SessionCreate = Schema.Struct({
  apiKey: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(4_096)).annotateKey({
    description: "An API key of a user, 1 to 4,096 characters.",
  }),
}).annotate({ identifier: "SessionCreate", description: "The body that starts a session." });

const create = HttpApiEndpoint.post("create", "/api/session", {
  payload: SessionCreate,
  success: Session.SessionInfo.pipe(HttpApiSchema.status(201)),
  error: [Problem.Unauthenticated, Problem.Forbidden, Problem.LimitExceeded],
}).annotateMerge(
  about({
    summary: "Start a session",
    description:
      "Returns who the caller is and sets the cookie `qm_session`. An agent's key cannot start a session (403).",
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
      "The cookie and its bearer tokens stop working immediately. Without a session nothing happens.",
    access: viewer,
  }),
);

const token = HttpApiEndpoint.post("token", "/api/session/token", {
  success: Session.SessionToken.pipe(HttpApiSchema.status(201)),
}).annotateMerge(
  about({
    summary: "Create a bearer token",
    description:
      "By cookie, from the same origin: a bearer token of 15 minutes for the same principal, for the routes that take no cookie.",
    access: viewer,
    idempotencyKey: "refused",
  }),
);

/** Sessions of people in a browser. */
export class SessionApi extends HttpApiGroup.make("session")
  .add(get, end, token)
  .middleware(Conventions)
  .middleware(Authorization)
  .add(create.middleware(Conventions))
  .annotateMerge(
    OpenApi.annotations({ title: "Session", description: "Sessions of people in a browser." }),
  ) {}
