/**
 * A response in terms of the model's numbers. Model and service share this form, so that they can
 * be compared.
 */

export type Answer =
  | { readonly did: "nothing" }
  | { readonly did: "refused"; readonly why: string; readonly what: unknown }
  | { readonly did: "issue"; readonly issue: unknown }
  | { readonly did: "link"; readonly link: unknown }
  | {
      readonly did: "heartbeat";
      readonly started: unknown;
      readonly renewed: unknown;
      readonly stop: unknown;
    }
  | {
      readonly did: "turn";
      readonly action: string;
      readonly reason: unknown;
      readonly comments: number;
    };

export const nothing: Answer = { did: "nothing" };

export const refused = (why: string, what: unknown = null): Answer => ({
  did: "refused",
  why,
  what,
});

export const sorted = (numbers: ReadonlyArray<number>): ReadonlyArray<number> =>
  numbers.toSorted((a, b) => a - b);
