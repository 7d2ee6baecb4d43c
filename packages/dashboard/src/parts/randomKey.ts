/** A random key of 32 hex digits. Unlike `crypto.randomUUID` it is available on plain HTTP. */
export const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
