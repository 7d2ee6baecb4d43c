import { StorageErrors } from "@quartermaster/storage-sql";

export const { fromFileError, fromSqlError, mapped } = StorageErrors;
