/** The version of this package, by which it introduces itself to servers and clients. */
export const version = "0.1.0";
