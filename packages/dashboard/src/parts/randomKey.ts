/** A key of 32 hex digits that repeats nowhere. It also works on plain HTTP, unlike `crypto.randomUUID`. */
export const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
