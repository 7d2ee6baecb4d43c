/** The largest message that a server may send, in bytes: 32 MiB. */
export const maxMessageBytes = 32 * 1024 * 1024;
