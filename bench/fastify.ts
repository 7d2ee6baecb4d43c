import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { fastify } from "fastify";
import { type Issue, type ListQuery, open } from "./baseline.ts";

/**
 * The server that Quartermaster is compared with: these routes, written by hand with Fastify and
 * `node:sqlite`. The argument is the database's file. The server listens on `PORT`.
 */

const db = open(process.argv[2] ?? ":memory:");

const text = { type: "string" };
const nullable = { type: ["string", "null"] };
const hostId = { type: "string", pattern: "^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$" };
const nullableHostId = { ...hostId, type: ["string", "null"] };

const issue = {
  type: "object",
  properties: {
    id: text,
    key: text,
    projectId: text,
    title: text,
    description: nullable,
    status: text,
    priority: text,
    assignedAgentId: nullable,
    assigneeUserId: nullable,
    goalId: nullable,
    paused: { type: "boolean" },
    pausedBecause: nullable,
    attempts: { type: "integer" },
    notBefore: nullable,
    labels: { type: "array", items: text },
    externalRef: nullable,
    metadata: { type: "object", additionalProperties: text },
    links: {
      type: "array",
      items: {
        type: "object",
        properties: { id: text, issue_id: text, target_issue_id: text, link_type: text },
      },
    },
    version: { type: "integer" },
    createdBy: { type: "object", properties: { type: text, id: text } },
    createdAt: text,
    updatedAt: text,
    startedAt: nullable,
    resolvedAt: nullable,
    closedAt: nullable,
  },
};

const created = {
  ...issue,
  properties: {
    ...issue.properties,
    created: {
      type: "object",
      properties: { agent: { type: "boolean" }, project: { type: "boolean" } },
    },
    warnings: { type: "array", items: text },
  },
};

const statuses = [
  "Open",
  "InProgress",
  "WaitingOnDependency",
  "PendingReview",
  "Resolved",
  "Closed",
];

const createBody = {
  type: "object",
  required: ["title"],
  additionalProperties: false,
  properties: {
    title: { type: "string", pattern: "\\S", maxLength: 1024 },
    description: { ...nullable, maxLength: 65_536 },
    priority: { type: ["string", "null"], enum: ["urgent", "high", "normal", "low", null] },
    assignedAgentId: nullableHostId,
    assigneeUserId: nullableHostId,
    goalId: nullableHostId,
  },
};

const listQuery = {
  type: "object",
  additionalProperties: false,
  properties: {
    status: { type: "string", enum: statuses },
    assigneeId: hostId,
    q: { type: "string", maxLength: 1024 },
    limit: { type: "integer", minimum: 1, maximum: 500, default: 100 },
    cursor: { type: "integer", minimum: 1 },
  },
};

interface Create {
  readonly title: string;
  readonly description?: string | null;
  readonly priority?: string | null;
  readonly assignedAgentId?: string | null;
  readonly assigneeUserId?: string | null;
  readonly goalId?: string | null;
}

const problem = (status: number, title: string) => ({
  type: "about:blank",
  title,
  status,
  detail: title,
});

const newId = (prefix: string) =>
  `${prefix}_${Date.now().toString(36)}${randomBytes(10).toString("hex")}`;

const bearer = /^Bearer qm_([A-Za-z0-9]{1,64})_([A-Za-z0-9]{1,256})$/;

/** The user of the key in the header; undefined for an unknown key. */
const authenticate = (header: string | undefined) => {
  const [, keyId, secret] = bearer.exec(header ?? "") ?? [];
  if (keyId === undefined || secret === undefined) return undefined;
  const key = db.key(keyId);
  if (key === undefined) return undefined;
  const hash = createHash("sha256").update(secret).digest();
  return timingSafeEqual(hash, Buffer.from(key.secret_hash, "hex")) ? key.user_id : undefined;
};

const app = fastify({
  ajv: { customOptions: { removeAdditional: false } },
  bodyLimit: 1024 * 1024,
  forceCloseConnections: true,
});

app.decorateRequest("userId", "");

/** A line for each request, with the fields and the delay of 5 ms that Quartermaster has. */
const lines: Array<string> = [];
app.addHook("onResponse", (request, reply, next) => {
  const path = request.url.split("?", 1)[0];
  const line = {
    timestamp: new Date().toISOString(),
    level: "INFO",
    message: `${request.method} ${path} ${reply.statusCode}`,
    requestId: request.id,
    method: request.method,
    path,
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 1_000) / 1_000,
    keyId: "bench",
    agentId: null,
    address: request.ip,
  };
  if (lines.push(`${JSON.stringify(line)}\n`) === 1) {
    setTimeout(() => process.stdout.write(lines.splice(0).join("")), 5);
  }
  next();
});

app.addHook("onRequest", (request, reply, next) => {
  const userId = authenticate(request.headers.authorization);
  if (userId === undefined) {
    void reply
      .code(401)
      .header("www-authenticate", "Bearer")
      .type("application/problem+json")
      .send(problem(401, "Unauthenticated"));
    return;
  }
  request.setDecorator("userId", userId);
  next();
});

app.get<{ Params: { issueId: string } }>(
  "/api/projects/issues/:issueId",
  { schema: { response: { 200: issue } } },
  (request, reply) => {
    const found = db.get(request.params.issueId);
    if (found === undefined) {
      return reply
        .code(404)
        .type("application/problem+json")
        .serializer(JSON.stringify)
        .send(problem(404, "Not found"));
    }
    return reply.header("etag", `"${found.version}"`).send(found);
  },
);

app.get<{ Params: { projectId: string }; Querystring: ListQuery }>(
  "/api/projects/:projectId/issues",
  { schema: { querystring: listQuery, response: { 200: { type: "array", items: issue } } } },
  (request, reply) => {
    const { items, next } = db.list(request.params.projectId, request.query);
    if (next !== null) {
      const url = new URL(request.url, "http://localhost");
      url.searchParams.set("cursor", String(next));
      reply.header("link", `<${url.pathname}${url.search}>; rel="next"`);
    }
    return reply.send(items);
  },
);

app.post<{ Params: { projectId: string }; Body: Create }>(
  "/api/projects/:projectId/issues",
  { schema: { body: createBody, response: { 201: created } } },
  (request, reply) => {
    const { body } = request;
    const now = new Date().toISOString();
    const inserted: Omit<Issue, "key"> = {
      id: newId("iss"),
      projectId: request.params.projectId,
      title: body.title.trim(),
      description: body.description ?? null,
      status: "Open",
      priority: body.priority ?? "normal",
      assignedAgentId: body.assignedAgentId ?? null,
      assigneeUserId: body.assigneeUserId ?? null,
      goalId: body.goalId ?? null,
      paused: false,
      pausedBecause: null,
      attempts: 0,
      notBefore: null,
      labels: [],
      externalRef: null,
      metadata: {},
      links: [],
      version: 1,
      createdBy: { type: "User", id: request.getDecorator<string>("userId") },
      createdAt: now,
      updatedAt: now,
      startedAt: null,
      resolvedAt: null,
      closedAt: null,
    };
    const key = db.transaction(() => db.insert(inserted, newId("evt")));
    return reply
      .code(201)
      .header("location", `/api/projects/issues/${inserted.id}`)
      .header("etag", '"1"')
      .send({
        ...inserted,
        key,
        created: { agent: false, project: key.endsWith("-1") },
        warnings: [],
      });
  },
);

process.once("SIGTERM", () => {
  void app.close().then(() => {
    db.close();
    process.exit(0);
  });
});

await app.listen({ host: "127.0.0.1", port: Number(process.env["PORT"] ?? 0) });
