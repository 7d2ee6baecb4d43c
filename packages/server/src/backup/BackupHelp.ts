/** The text of `backup --help`. */
export const backup = [
  "Write the database and every attachment of QM_DATA_DIR, or of QM_DATABASE_URL, to one file of mode 0600.",
  "",
  "Servers may run and write in the meantime. The file has every change that was acknowledged before",
  "the backup started, and appears under its name only when it is complete.",
  "",
  "The master key is not in the file, except with --keys. Store the key separately: without it, the",
  "secrets of MCP servers cannot be decrypted after a restore.",
].join("\n");

/** The text of `restore --help`. */
export const restore = [
  "Restore a backup into QM_DATA_DIR, which must be empty or not exist, or with QM_DATABASE_URL into a",
  "schema without a service.",
  "",
  "The whole file is verified before anything is written. If the restore is interrupted, no server",
  "starts on the directory or the schema: run it again with the same file.",
].join("\n");
