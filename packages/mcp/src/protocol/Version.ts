/** The version of this package, reported to servers and clients. */
export const version = "0.1.0";
