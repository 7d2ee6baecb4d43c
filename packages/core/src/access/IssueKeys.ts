import { Context, Effect } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { CurrentPrincipal } from "./Principal.ts";

/** A key, such as `SHOP-142`, in upper case. */
export interface IssueKey {
  readonly prefix: string;
  readonly number: number;
}

/** Reads a key in any letter case; undefined for another text, such as an id. */
export const parse = (text: string): IssueKey | undefined => {
  const [, prefix, number] = /^([A-Z][A-Z0-9]{1,9})-([1-9][0-9]{0,14})$/i.exec(text) ?? [];
  return prefix === undefined
    ? undefined
    : { prefix: prefix.toUpperCase(), number: Number(number) };
};

/** The ranges of the numbers that start with the digits of a number, largest first. */
export const rangesOf = (number: number): ReadonlyArray<readonly [from: number, to: number]> =>
  [1e6, 1e5, 1e4, 1e3, 100, 10, 1]
    .map((size) => [number * size, number * size + size - 1] as const)
    .filter(([, to]) => to < 1e15);

export const isKey = (text: string): boolean => parse(text) !== undefined;

/** Finds issues by their keys. */
export class IssueKeys extends Context.Service<
  IssueKeys,
  {
    /**
     * Returns the id of the issue with this key. A text that is not the key of an issue that the
     * principal may see is returned as it is: no issue has such an id, so the caller is refused as with
     * an unknown id.
     */
    idOf(text: string): Effect.Effect<string, StorageError, CurrentPrincipal>;
    /** The method, whose first argument can also be a key. */
    taken<Rest extends ReadonlyArray<unknown>, A, E, R>(
      method: (issueId: string, ...rest: Rest) => Effect.Effect<A, E, R>,
    ): (idOrKey: string, ...rest: Rest) => Effect.Effect<A, E | StorageError, R | CurrentPrincipal>;
  }
>()("@quartermaster/core/access/IssueKeys") {}

export const make = (idOf: IssueKeys["Service"]["idOf"]): IssueKeys["Service"] =>
  IssueKeys.of({
    idOf,
    taken:
      (method) =>
      (idOrKey, ...rest) =>
        isKey(idOrKey)
          ? Effect.flatMap(idOf(idOrKey), (issueId) => method(issueId, ...rest))
          : method(idOrKey, ...rest),
  });
