import type { TestServer } from "./TestServer.ts";

/** Calls a server like any HTTP client, without the typed client. */

export interface Call {
  readonly key?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged. */
  readonly raw?: string | Uint8Array<ArrayBuffer> | FormData | undefined;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of it is its own matter
  readonly body: any;
}

export const request = (
  server: Pick<TestServer, "url">,
  method: string,
  path: string,
  call: Call = {},
) =>
  fetch(new URL(path, server.url), {
    method,
    redirect: "manual",
    headers: {
      ...(call.key === undefined ? {} : { authorization: `Bearer ${call.key}` }),
      ...(call.body === undefined ? {} : { "content-type": "application/json" }),
      ...call.headers,
    },
    ...(call.body === undefined && call.raw === undefined
      ? {}
      : { body: call.raw ?? JSON.stringify(call.body) }),
    ...(call.signal === undefined ? {} : { signal: call.signal }),
  });

/** Sends a request, and reads the whole response. */
export const call = async (
  server: Pick<TestServer, "url">,
  method: string,
  path: string,
  options?: Call,
): Promise<Answer> => {
  const response = await request(server, method, path, options);
  const text = await response.text();
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== "" ? JSON.parse(text) : undefined,
  };
};

/** Sends requests to one server with one key. */
export const as =
  (server: Pick<TestServer, "url">, key: string | undefined) =>
  (method: string, path: string, options?: Call): Promise<Answer> =>
    call(server, method, path, { key, ...options });

/** Starts a session with a key. Returns the response, and the credentials that the page sends. */
export const signIn = async (server: Pick<TestServer, "url">, apiKey: string) => {
  const answer = await call(server, "POST", "/api/session", { body: { apiKey } });
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  const secret: string = answer.body.sessionSecret;
  return {
    answer,
    cookie,
    secret,
    headers: { cookie, "quartermaster-session": secret, "sec-fetch-site": "same-origin" },
  };
};
