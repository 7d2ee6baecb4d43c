import type { Server } from "./processes.ts";

/**
 * Sends one request that prepares a measurement. Returns the JSON of the response; throws for an
 * error status.
 */
export const ask = async <Answer>(
  { port, key }: Pick<Server, "port" | "key">,
  method: "GET" | "POST" | "PUT",
  path: string,
  body?: unknown,
  more: { readonly headers?: Record<string, string>; readonly signal?: AbortSignal } = {},
): Promise<{ readonly answer: Answer; readonly headers: Headers }> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...more.headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(more.signal === undefined ? {} : { signal: more.signal }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return { answer: (isJson ? JSON.parse(text) : text) as Answer, headers: response.headers };
};
