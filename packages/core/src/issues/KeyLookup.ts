import { Effect, Layer, Option } from "effect";
import * as IssueKeys from "../access/IssueKeys.ts";
import { CurrentPrincipal, sees } from "../access/Principal.ts";
import { IssueStore } from "./IssueStore.ts";

/** Finds issues by their keys, with one read of the storage. */
export const layer = Layer.effect(
  IssueKeys.IssueKeys,
  Effect.map(IssueStore, (store) =>
    IssueKeys.make(
      Effect.fnUntraced(function* (text: string) {
        const key = IssueKeys.parse(text);
        if (key === undefined) return text;
        const principal = yield* CurrentPrincipal;
        const found = yield* store.ofKey(key.prefix, key.number);
        return Option.isSome(found) && sees(principal, found.value.projectId)
          ? found.value.id
          : text;
      }),
    ),
  ),
);
