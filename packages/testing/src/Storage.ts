import type { Core } from "@quartermaster/core";

/** Every port that a storage provides. */
export type Storage = Core.Storage;
