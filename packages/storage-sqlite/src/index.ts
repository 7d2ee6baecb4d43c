export * as Backup from "./backup/Backup.ts";
export * as Restore from "./backup/Restore.ts";
export * as Portable from "./portable/Portable.ts";
export * as SqliteClient from "./client/SqliteClient.ts";
export * as Migrations from "./migrations/Migrations.ts";
export * as Inspection from "./inspection/Inspection.ts";
export * as Storage from "./Storage.ts";
export * as Signature from "./backup/Signature.ts";
