import { Backup } from "@quartermaster/storage-sqlite";

/** Adds QM_DATA_DIR to the message of a failure that another data directory would solve. */
export const withVariable = (error: Backup.BackupError): Backup.BackupError =>
  error.needsOtherDirectory === true
    ? new Backup.BackupError({ message: `${error.message} QM_DATA_DIR names it.` })
    : error;
