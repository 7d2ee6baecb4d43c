import type { Plan } from "@quartermaster/client";

/** The 40 issues of the project `demo`: a shop that three agents build. */

export const projectId = "demo";

export const agents = {
  design: "demo-designer",
  build: "demo-builder",
  check: "demo-checker",
} as const;

/** The start of `externalRef`, by which the samples are found again. Other issues are never touched. */
export const refPrefix = "sample-";

const parts = [
  ["catalog", "the list of products"],
  ["search", "the search for products"],
  ["cart", "the shopping cart"],
  ["checkout", "the checkout"],
  ["payment", "payment by card"],
  ["invoice", "invoices as PDF"],
  ["stock", "the stock of each warehouse"],
  ["mail", "e-mails about orders"],
  ["returns", "returns and refunds"],
  ["reports", "the monthly sales report"],
] as const;

const priorities = ["normal", "high", "normal", "low", "urgent"] as const;

type Step = readonly [agent: string, title: (what: string) => string, description: string];

const steps: ReadonlyArray<Step> = [
  [agents.design, (what) => `Design ${what}`, "Draw the screens and list the open questions."],
  [agents.build, (what) => `Build ${what}`, "Follow the design. Keep the public API unchanged."],
  [agents.check, (what) => `Test ${what}`, "Cover the usual path, the empty state and bad input."],
  [agents.design, (what) => `Describe ${what} in the manual`, "Half a page with one picture."],
];

/** 10 parts of the shop with 4 issues each. Each part is built after its design, and then tested. */
export const plan: Plan["issues"] = parts.flatMap(([label, what], part) =>
  steps.map(([assignedAgentId, title, description], step) => ({
    ref: `${label}-${step}`,
    externalRef: `${refPrefix}${label}-${step}`,
    title: title(what),
    description: `${description}\n\n- [ ] Works on a phone\n- [ ] Works by keyboard`,
    priority: priorities[(part + step) % priorities.length] ?? "normal",
    labels: [label],
    assignedAgentId,
    blockedBy: step === 0 ? [] : [`${label}-${step === 3 ? 1 : step - 1}`],
  })),
);
