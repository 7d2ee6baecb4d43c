/** Texts of a project that is in full swing, as people and agents write them. */

export const agents = [
  "ada",
  "atlas",
  "juno",
  "kai",
  "mira",
  "nova",
  "otto",
  "rune",
  "scribe",
  "vega",
] as const;

export const priorities = ["normal", "high", "low", "normal", "urgent"] as const;

const labels = ["backend", "payments", "regression", "customer-report", "design", "flaky-test"];

const verbs = [
  "Add a retry to",
  "Rotate the keys of",
  "Cache",
  "Write release notes for",
  "Fix the rounding of",
  "Measure the latency of",
  "Move to a worker:",
  "Describe in the manual how to run",
];

const things = [
  "the payment webhook",
  "product pages at the edge",
  "refund emails, which go out twice",
  "the checkout for carts with more than 40 items",
  "image resizing",
  "the VAT of orders that are shipped to more than one country in the same week",
  "the stock of each warehouse",
  "search",
  "invoices as PDF",
];

export const titleOf = (n: number): string =>
  `${verbs[n % verbs.length]} ${things[(n * 5) % things.length]}`;

export const labelsOf = (n: number): ReadonlyArray<string> =>
  labels.slice(n % labels.length, (n % labels.length) + (n % 3));

export const description = `Carts with more than 40 items get a **500** from \`POST /checkout\`.

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

${"The report has more detail than anyone needs. ".repeat(12)}`;

export const handIn = `The limit is **200** now, and a test has 41 items.

1. \`limit\` comes from the settings
2. The error names the limit`;

export const patch = `diff --git a/src/checkout.ts b/src/checkout.ts
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

export const failure = `Error: connect ECONNREFUSED 127.0.0.1:5432

\`\`\`
    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1637:16)
    at Pool.connect (src/store/pool.ts:42:11)
\`\`\``;

export const log = `$ npm test

> shop@2.4.0 test
> vitest run

 \u001b[32m✓\u001b[39m test/cart.test.ts (18 tests) 112ms
 \u001b[31m×\u001b[39m test/checkout.test.ts (9 tests | 1 failed) 340ms
   \u001b[31m→ expected 500 to be 200 // a cart with 41 items\u001b[39m

 Test Files  1 failed | 1 passed (2)
      Tests  1 failed | 26 passed (27)
`;

/** A picture of one pixel. */
export const png = Uint8Array.from(
  atob(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  ),
  (character) => character.charCodeAt(0),
);
