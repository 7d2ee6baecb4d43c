/** The text of `backup --help`. */
export const backup = [
  "Write the database and every attachment of QM_DATA_DIR to one file of mode 0600.",
  "",
  "Servers may run and write in the meantime. The file has every change that was acknowledged before",
  "the backup started, and appears under its name only when it is complete.",
  "",
  "The master key is not in the file, except with --keys. Store the key separately: without it, the",
  "secrets of MCP servers cannot be decrypted after a restore.",
].join("\n");

/** The text of `restore --help`. */
export const restore = [
  "Restore a backup into QM_DATA_DIR, which must be empty or not exist.",
  "",
  "The whole file is verified before anything is written. If the restore is interrupted, no server",
  "starts on the directory: run it again with the same file.",
].join("\n");
