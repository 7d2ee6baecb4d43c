import { assert } from "@effect/vitest";
import type { Page } from "playwright-core";
import type { PageOptions, Screens } from "./Screens.ts";

/** Issues of the project `shop`, and their pages. */
export const issuePages = (screens: Screens) => ({
  create: async (title: string, fields: object = {}) => {
    const { body, text } = await screens.call("POST", "/api/projects/shop/issues", {
      title,
      ...fields,
    });
    assert.isString(body.id, text);
    return body;
  },
  get: async (id: string) => (await screens.call("GET", `/api/projects/issues/${id}`)).body,
  put: (id: string, body: object) => screens.call("PUT", `/api/projects/issues/${id}`, body),
  openIssue: async (id: string, options?: PageOptions): Promise<Page> => {
    const page = await screens.open(`/issues/${id}`, options);
    await page.getByRole("heading", { name: "Activity" }).waitFor();
    return page;
  },
});

export type IssuePages = ReturnType<typeof issuePages>;
