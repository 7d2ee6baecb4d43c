import { createHmac, timingSafeEqual } from "node:crypto";
import { Clock, Effect } from "effect";
import { CommandError, usage } from "../CommandError.ts";
import * as Input from "../Input.ts";

/** The difference of the clocks of sender and receiver, which Standard Webhooks libraries also accept. */
const toleranceSeconds = 300;

const refused = (message: string) =>
  new CommandError({ kind: "refused", message, problem: null, retryAfterSeconds: null });

const keyOf = (secret: string) => {
  const bytes = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return secret.startsWith("whsec_") && bytes.length > 0
    ? Effect.succeed(bytes)
    : Effect.fail(usage("--secret-file must contain the secret of the webhook, whsec_..."));
};

const isEqual = (given: string, expected: Buffer) => {
  const bytes = Buffer.from(given, "base64");
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
};

/** `quartermaster webhook verify`: exits with 0 if the request is from the webhook, with 2 if it is not. */
export const verify = Effect.fnUntraced(function* (flags: {
  readonly secretFile: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
}) {
  const key = yield* keyOf((yield* Input.file("--secret-file", flags.secretFile)).trim());
  const body = yield* Input.stdin;
  const now = (yield* Clock.currentTimeMillis) / 1_000;
  if (!/^\d{1,12}$/.test(flags.timestamp)) {
    return yield* refused("--timestamp is not the header webhook-timestamp, in seconds.");
  }
  if (Math.abs(now - Number(flags.timestamp)) > toleranceSeconds) {
    return yield* refused(
      "The timestamp is more than 5 minutes from now: the request is old, or a clock is wrong.",
    );
  }
  const expected = createHmac("sha256", key)
    .update(`${flags.id}.${flags.timestamp}.${body}`)
    .digest();
  const isValid = flags.signature
    .split(" ")
    .some((signature) => signature.startsWith("v1,") && isEqual(signature.slice(3), expected));
  if (!isValid)
    return yield* refused("The signature is not one of this secret. Do not trust the request.");
});
