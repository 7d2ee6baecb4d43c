import { describe } from "@effect/vitest";
import type { Layer } from "effect";
import type { Storage } from "../Storage.ts";
import { block } from "../Suite.ts";
import * as AfterCommit from "./transactor/AfterCommit.ts";
import * as Isolation from "./transactor/Isolation.ts";
import * as OutsideTransaction from "./transactor/OutsideTransaction.ts";
import * as Relaxed from "./transactor/Relaxed.ts";
import * as Rollback from "./transactor/Rollback.ts";

/** The requirements of every `Transactor`, observed through the stores that it protects. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`Transactor: ${name}`, () => {
    block("rollback", storage, Rollback.tests);
    block("isolation", storage, Isolation.tests);
    block("outside of a transaction", storage, OutsideTransaction.tests);
    block("relaxed", storage, Relaxed.tests);
    block("afterCommit", storage, AfterCommit.tests);
  });
};
