import type { PlatformError } from "effect";

/** The reason in words by the error code of the operating system. */
const reasons = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EROFS", "the file system is read-only"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["EIO", "the disk cannot be read or written"],
  ["EFBIG", "the process may not write files of that size"],
  ["ENOENT", "the file system does not allow files there"],
  ["ENOTDIR", "a part of the path is a file"],
  ["EEXIST", "a file is there"],
]);

/** The reason why a file operation failed. */
export const of = ({ reason }: PlatformError.PlatformError): string => {
  const { cause } = reason;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : reason._tag;
  return reasons.get(code) ?? code;
};
