import { SnoozeStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { Database } from "./Database.ts";

const keyOf = ({
  itemId,
  kind,
  principal,
}: Pick<SnoozeStore.Snooze, "principal" | "kind" | "itemId">) =>
  JSON.stringify([principal, kind, itemId]);

export const layer = Layer.effect(
  SnoozeStore.SnoozeStore,
  Effect.map(Database, (database) =>
    SnoozeStore.SnoozeStore.of({
      list: (principal, now) =>
        database.read(({ snoozes }) =>
          Array.from(snoozes.values()).filter(
            (snooze) => snooze.principal === principal && snooze.until > now,
          ),
        ),
      put: (snooze) => database.write(({ snoozes }) => snoozes.set(keyOf(snooze), snooze)),
      remove: (item) => database.write(({ snoozes }) => snoozes.delete(keyOf(item))),
      prune: (now, limit) =>
        database.write(({ snoozes }) => {
          const over = Array.from(snoozes.values())
            .filter(({ until }) => until <= now)
            .slice(0, limit);
          for (const snooze of over) snoozes.delete(keyOf(snooze));
          return over.length;
        }),
    }),
  ),
);
