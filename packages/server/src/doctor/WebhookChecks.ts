import type { Inspection } from "@quartermaster/storage-sqlite";
import type { Finding } from "./Finding.ts";

/** Checks of webhooks. They are pure functions from facts to findings. */

const reasons: Readonly<Record<string, string>> = {
  gone: "its receiver responded with 410",
  noSuccess: "an event failed ten times, and none succeeded for 72 hours",
  tooManyWaiting: "more than 100,000 deliveries waited",
};

/** Webhooks to which the service stopped sending, and deliveries that no server sends. */
export const judge = (
  webhooks: Inspection.Facts["webhooks"],
  nowMillis: number,
): ReadonlyArray<Finding> =>
  webhooks.flatMap(({ id, name, oldest, overdue, reason, status }): ReadonlyArray<Finding> => {
    const why = reason === null ? undefined : reasons[reason];
    if (status !== "enabled") {
      if (why === undefined) return [];
      return [
        {
          check: "webhooks",
          severity: "warning",
          message: `Nothing is sent to the webhook ${name}: ${why}. Repair the receiver first, and replay what it missed.`,
          fix: `quartermaster webhook edit ${id} --status enabled`,
        },
      ];
    }
    if (overdue === 0 || oldest === null) return [];
    const minutes = Math.round((nowMillis - Date.parse(oldest)) / 60_000);
    return [
      {
        check: "webhooks",
        severity: "warning",
        message: `${overdue === 1 ? "1 delivery" : `${overdue} deliveries`} to the webhook ${name} should have been sent ${minutes} minutes ago, and no server sends ${overdue === 1 ? "it" : "them"}.`,
        fix: "quartermaster serve",
      },
    ];
  });
