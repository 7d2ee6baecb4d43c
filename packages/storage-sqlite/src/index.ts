export * as SqliteClient from "./client/SqliteClient.ts";
export * as Migrations from "./migrations/Migrations.ts";
export * as Storage from "./Storage.ts";
