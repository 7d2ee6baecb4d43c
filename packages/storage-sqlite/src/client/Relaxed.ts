import { Context } from "effect";

/** Whether the transactions that a fiber opens are relaxed: see `Transactor.transactRelaxed`. */
export const Relaxed = Context.Reference<boolean>("@quartermaster/storage-sqlite/client/Relaxed", {
  defaultValue: () => false,
});
