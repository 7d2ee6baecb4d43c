import { MemoryStorage, TestCore } from "@quartermaster/testing";

/**
 * The storage of core's tests: memory, or memory that runs every change twice where the environment
 * has `QM_STORAGE=rerun`.
 */
export const isRerun = process.env["QM_STORAGE"] === "rerun";

export const storage = isRerun ? MemoryStorage.layerRerun : MemoryStorage.layer;

/** `TestCore.layer` over this storage. */
export const layer = TestCore.layerWith({ storage });

/** `TestCore.layerMcp` over this storage. */
export const layerMcp = TestCore.layerMcpWith({ storage });
