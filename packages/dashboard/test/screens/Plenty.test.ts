import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { hasBrowser, sizes } from "../support/Browser.ts";
import { row, show } from "../support/Inbox.ts";
import { assertAccessible, type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;
/** The issue with most of everything. */
let full: { readonly id: string; readonly key: string };

const create = async (title: string, fields: object = {}) => {
  const { body, text } = await screens.call("POST", "/api/projects/shop/issues", {
    title,
    ...fields,
  });
  assert.isString(body.id, text);
  return body;
};

const agents = ["atlas", "scribe", "nova", "mira"];
const priorities = ["urgent", "high", "normal", "low"];
const titles = [
  "Checkout fails for carts with more than 40 items",
  "Add a retry to the payment webhook",
  "Rotate the signing keys before the certificate expires on the edge servers in all regions",
  "Refund emails go out twice",
  "Move image resizing to a worker",
  "Cache product pages at the edge",
];

const description = `Carts with more than 40 items get a **500** from \`POST /checkout\`.

- [x] Reproduce it with the cart of the report
- [ ] Raise the limit to 200
- [ ] Add a test for 41 items

| items | response |
| ----- | -------- |
| 40    | 200      |
| 41    | 500      |

\`\`\`ts
export const limit = 40; // set in 2019, when carts were small
\`\`\`

${"The report has more detail than anyone needs. ".repeat(30)}`;

const handIn = `The limit is **200** now, and a test has 41 items.

1. \`limit\` comes from the settings
2. The error names the limit`;

const patch = `diff --git a/src/checkout.ts b/src/checkout.ts
--- a/src/checkout.ts
+++ b/src/checkout.ts
@@ -10,6 +10,7 @@ export const checkout = (cart) => {
   const items = cart.items;
-  if (items.length > 40) throw new Error("too many");
+  const { limit } = settings;
+  if (items.length > limit) throw new TooManyItems(limit);
   return pay(items);
 };
`;

const seed = async () => {
  for (let n = 0; n < 24; n++) {
    const agent = agents[n % 4] ?? "";
    const { id } = await create(`${titles[n % 6]}, part ${n}`, {
      assignedAgentId: agent,
      priority: priorities[(n * 3) % 4],
      labels: ["backend", "payments"].slice(0, n % 3),
    });
    if (n % 3 === 0) {
      await screens.call("POST", `/api/projects/issues/${id}/questions`, {
        prompt: "May I raise the limit of the cart to 200 items, or must it stay at 40?",
        kind: "choice",
        options: ["Raise it to 200", "Leave it at 40", "Ask the shop team first"],
      });
    } else {
      await screens.call("POST", `/api/agents/${agent}/heartbeat`, { capacity: 5 });
    }
  }
  const made = await create("Checkout fails for carts with more than 40 items in every region", {
    description,
    priority: "urgent",
    labels: ["backend", "payments", "regression", "customer-report"],
    assignedAgentId: "vega",
  });
  full = made;
  await create("Waits for the checkout", { blockedByIssueId: made.id });
  for (let n = 0; n < 6; n++) {
    await screens.call("POST", `/api/projects/issues/${made.id}/comments`, {
      content: `Comment ${n}: the cart of the report has \`${40 + n}\` items.\n\n> ${titles[n]}`,
    });
  }
  for (const [name, content] of [
    ["checkout.patch", patch],
    ["report.csv", "items,response\n41,500\n"],
  ] as const) {
    const form = new FormData();
    form.append("file", new Blob([content]), name);
    await fetch(`${screens.server.url}/api/projects/issues/${made.id}/attachments`, {
      method: "POST",
      headers: { authorization: `Bearer ${screens.server.key}` },
      body: form,
    });
  }
  const { body } = await screens.call("POST", "/api/agents/vega/heartbeat", {});
  const finish = `/api/agents/vega/runs/${body.started[0].runId}/finish`;
  await screens.call("POST", finish, { outcome: "review", comment: handIn });
  for (const agent of agents) {
    const runs = (await screens.call("GET", `/api/agents/${agent}/runs?status=active`)).body;
    for (const [n, run] of runs.entries()) {
      await screens.call("POST", `/api/agents/${agent}/runs/${run.id}/finish`, {
        outcome: n % 2 === 0 ? "review" : "failed",
        comment: n % 2 === 0 ? handIn : `Error: no space left on device ${n}\n\n${patch}`,
      });
    }
  }
};

describe.runIf(hasBrowser)("screens with plenty of data", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
    await seed();
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  for (const theme of ["light", "dark"] as const) {
    for (const size of ["wide", "middle", "narrow"] as const) {
      it(`[dashboard.accessible] the inbox and an issue with plenty of data are accessible and fit, ${theme} and ${size}`, async () => {
        const page = await screens.open("/inbox", { theme, size });
        const check = async (name: string) => {
          await assertAccessible(page);
          const width = await page.evaluate("document.documentElement.scrollWidth");
          assert.isAtMost(Number(width), sizes[size].width);
          await shoot(page, `plenty-${name}-${theme}-${size}`);
        };
        await row(page, "in every region").waitFor();
        await check("list");
        const shown = await show(page, "in every region");
        await shown.getByText("The error names the limit").waitFor();
        await shown.getByRole("figure", { name: "checkout.patch" }).waitFor();
        await check("item");
        await page.goto(`${screens.server.url}/issues/${full.key}`);
        await page.getByText("The error names the limit").waitFor();
        await check("issue");
      });
    }
  }
});
