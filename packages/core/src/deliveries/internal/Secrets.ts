import { Effect, Redacted, Result } from "effect";
import { Mac, SecureRandom } from "effect/crypto";
import { Base64 } from "effect/encoding";
import { InvalidRequest } from "../../CommonErrors.ts";

/** The secrets of webhooks and their signatures, by Standard Webhooks 1.0.0. */

const prefix = "whsec_";

const bytesOf = (secret: string): Uint8Array | null => {
  if (!secret.startsWith(prefix)) return null;
  const bytes = Result.getOrNull(Base64.decode(secret.slice(prefix.length)));
  return bytes === null || bytes.length < 24 || bytes.length > 64 ? null : bytes;
};

export const make = Effect.gen(function* () {
  const mac = yield* Mac.Mac;
  const random = yield* SecureRandom.SecureRandom;
  const encoder = new TextEncoder();

  /** The given secret, or a new one. */
  const secretOf = (
    given: string | undefined,
  ): Effect.Effect<Redacted.Redacted<string>, InvalidRequest> => {
    if (given === undefined) {
      return Effect.map(random.randomBytes(32), (bytes) =>
        Redacted.make(`${prefix}${Base64.encode(bytes)}`),
      );
    }
    return bytesOf(given) === null
      ? InvalidRequest.at("secret", "must be whsec_ and the base64 of 24 to 64 bytes")
      : Effect.succeed(Redacted.make(given));
  };

  const signatureBy = (secret: Redacted.Redacted<string>, text: string) =>
    Mac.key(Mac.hmacSha256, bytesOf(Redacted.value(secret)) ?? new Uint8Array()).pipe(
      Effect.provideService(Mac.Mac, mac),
      Effect.flatMap((key) => mac.sign(key, encoder.encode(text))),
      Effect.map((bytes) => `v1,${Base64.encode(bytes)}`),
      Effect.orDie,
    );

  /** The signatures of a request, one per secret. */
  const sign = (
    secrets: ReadonlyArray<Redacted.Redacted<string>>,
    id: string,
    seconds: number,
    body: string,
  ) =>
    Effect.map(
      Effect.forEach(secrets, (secret) => signatureBy(secret, `${id}.${seconds}.${body}`)),
      (signatures) => signatures.join(" "),
    );

  return { secretOf, sign };
});
