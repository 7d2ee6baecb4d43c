/**
 * Clock, timers, randomness and environment of the platform. The package does not depend on Effect,
 * which would provide them.
 */

/** Milliseconds of a monotonic clock. */
export const now = (): number => performance.now();

/** Waits for the duration or until the signal aborts. Never rejects. */
export const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    // oxlint-disable-next-line no-restricted-globals -- without Effect there is no other clock
    const timer = setTimeout(finish, milliseconds);
    signal?.addEventListener("abort", finish);
  });

/** 32 random hexadecimal digits. Pages loaded over HTTP have no `crypto.randomUUID`. */
export const randomId = (): string =>
  // oxlint-disable-next-line no-restricted-properties -- without Effect there is no other source
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

interface Process {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly pid?: number;
  readonly getBuiltinModule?: (id: "node:os") => { readonly hostname: () => string };
}

/** The process; without members in a browser. */
const currentProcess = (): Process => {
  // oxlint-disable-next-line no-restricted-properties -- without Effect there is no Config
  const { process = {} } = globalThis as { readonly process?: Process };
  return process;
};

/** An environment variable; undefined in a browser. */
export const variable = (name: string): string | undefined => currentProcess().env?.[name];

/** The characters that a comment of `User-Agent` may have, without its separators. */
const others = /[^\w.:@-]/g;

/**
 * Returns the `User-Agent` of a program of this process, the machine and the process id, such as
 * `my-program (host=build-3; pid=4711)`: runs that the process starts show them. Undefined in a
 * browser.
 */
export const userAgent = (program: string): string | undefined => {
  const { getBuiltinModule, pid } = currentProcess();
  const host = getBuiltinModule?.("node:os").hostname().replaceAll(others, "-").slice(0, 64);
  return host ? `${program} (host=${host}; pid=${pid})` : undefined;
};
