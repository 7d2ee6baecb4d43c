/** The commands that work on a data directory. One chunk, which other commands do not load. */
export { run as backup } from "../backup/BackupCommand.ts";
export { run as restore } from "../backup/RestoreCommand.ts";
export { run as doctor } from "../doctor/DoctorCommand.ts";
