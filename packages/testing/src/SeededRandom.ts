import { Layer } from "effect";
import { SecureRandom } from "effect/crypto";

/** Mulberry32, a small generator: equal seeds give equal bytes. */
const bytesFrom = (seed: number) => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return (word ^ (word >>> 14)) & 0xff;
  };
  return (size: number): Uint8Array => Uint8Array.from({ length: size }, next);
};

/**
 * A `SecureRandom` that returns the same values in the same order for each build, so that
 * identifiers are reproducible under a test clock. Despite the service's name it is not secure.
 */
export const layerWith = (options: {
  readonly seed: number;
}): Layer.Layer<SecureRandom.SecureRandom> =>
  Layer.sync(SecureRandom.SecureRandom, () => SecureRandom.make(bytesFrom(options.seed)));

export const layer: Layer.Layer<SecureRandom.SecureRandom> = layerWith({ seed: 1 });
