import { Backup, Inspection, Restore } from "@quartermaster/storage-sqlite";
import * as BackupCommand from "../backup/BackupCommand.ts";
import * as RestoreCommand from "../backup/RestoreCommand.ts";
import * as DoctorCommand from "../doctor/DoctorCommand.ts";

/** The commands that look after a data directory, over SQLite. */

export const backup = BackupCommand.run(Backup.run);
export const restore = RestoreCommand.run(Restore.run);
export const doctor = DoctorCommand.run(Inspection.inspect);
