import { assert } from "@effect/vitest";
import type { Answer } from "../../http/test/support/Client.ts";
import * as EventStream from "../../http/test/support/EventStream.ts";
import type { Quartermaster } from "./Quartermaster.ts";

/** The stored data of a server, and its events. */

/** Every page of a list, oldest first. */
export const everything = async <A>(
  { call, url }: Quartermaster,
  path: string,
): Promise<Array<A>> => {
  const items: Array<A> = [];
  let next: string | undefined = `${path}${path.includes("?") ? "&" : "?"}limit=500&order=asc`;
  while (next !== undefined) {
    const answer: Answer = await call("GET", next);
    assert.strictEqual(answer.status, 200, answer.text);
    items.push(...answer.body);
    next = /<([^>]*)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
    if (next !== undefined) next = new URL(next, url).href;
  }
  return items;
};

export interface Told {
  readonly id: string;
  readonly kind: string;
  readonly projectId: string;
  readonly subjectId: string;
  readonly actor: { readonly type: string; readonly id: string };
  readonly data: Readonly<Record<string, unknown>>;
}

/** Collects all events of issues from now on, or after `since`, until an issue is created. */
export const listen = async (node: Quartermaster, since?: string) => {
  const stream = await EventStream.open(node, "?kinds=issue.*", {
    authorization: `Bearer ${node.key}`,
    ...(since === undefined ? {} : { "last-event-id": since }),
  });
  assert.strictEqual(stream.response.status, 200);
  return {
    close: stream.close,
    until: async (issueId: string): Promise<ReadonlyArray<Told>> => {
      const heard: Array<Told> = [];
      for (;;) {
        const event = await stream.next();
        if (event === undefined) throw new Error("the stream ended");
        heard.push(event.data);
        if (event.data.subjectId === issueId) break;
      }
      stream.close();
      return heard;
    },
  };
};

/** Creates an issue. Its creation event shows that all earlier events have arrived. */
export const mark = async ({ call }: Quartermaster): Promise<string> => {
  const answer = await call("POST", "/api/projects/marks/issues", { body: { title: "Mark" } });
  assert.strictEqual(answer.status, 201, answer.text);
  return answer.body.id;
};
