import { Backup } from "@quartermaster/storage-sqlite";

/** Adds the variable to a failure that another data directory solves. */
export const withVariable = (error: Backup.BackupError): Backup.BackupError =>
  error.needsOtherDirectory === true
    ? new Backup.BackupError({ message: `${error.message} QM_DATA_DIR names it.` })
    : error;
