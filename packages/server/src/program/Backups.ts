/** Commands on a data directory. They form one chunk that other commands do not load. */
export { run as backup } from "../backup/BackupCommand.ts";
export { run as restore } from "../backup/RestoreCommand.ts";
export { run as doctor } from "../doctor/DoctorCommand.ts";
