/** The largest message of a server that is read, in bytes: 32 MiB. */
export const maxMessageBytes = 32 * 1024 * 1024;

/**
 * The largest line of a program that is read before a call takes a larger result, in bytes: 8 MiB. What is stored of a
 * line is collected by V8 in stops of about 10 ms for each 32 MiB.
 */
export const lineBytes = 8 * 1024 * 1024;

/**
 * The largest part of a larger message that is read to learn its size, in bytes. A remote server's
 * response ends there: 128 MiB.
 */
export const maxSkippedBytes = 4 * maxMessageBytes;
