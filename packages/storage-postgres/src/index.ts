export * as Copy from "./portable/Copy.ts";
export * as DatabaseClock from "./DatabaseClock.ts";
export * as Inspection from "./Inspection.ts";
export * as Migrations from "./migrations/Migrations.ts";
export * as Move from "./portable/Move.ts";
export * as PostgresClient from "./client/PostgresClient.ts";
export * as Storage from "./Storage.ts";
