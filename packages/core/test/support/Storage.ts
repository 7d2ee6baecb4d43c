import { MemoryStorage, TestCore } from "@quartermaster/testing";

/**
 * True if the environment has `QM_STORAGE=rerun`: core's tests then use memory that runs every
 * change twice. Default: plain memory.
 */
export const isRerun = process.env["QM_STORAGE"] === "rerun";

export const storage = isRerun ? MemoryStorage.layerRerun : MemoryStorage.layer;

/** `TestCore.layer` over this storage. */
export const layer = TestCore.layerWith({ storage });

/** `TestCore.layerMcp` over this storage. */
export const layerMcp = TestCore.layerMcpWith({ storage });
