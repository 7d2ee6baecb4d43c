/** The largest message that is read from a server: 32 MiB. */
export const maxMessageBytes = 32 * 1024 * 1024;

/**
 * The largest line that is read from a program until a call expects a larger result: 8 MiB. V8
 * collects buffered lines in pauses of about 10 ms per 32 MiB.
 */
export const lineBytes = 8 * 1024 * 1024;

/**
 * The maximum number of bytes of an oversized message that are read to determine its size: 128 MiB.
 * The response of a remote server is cut off there.
 */
export const maxSkippedBytes = 4 * maxMessageBytes;
