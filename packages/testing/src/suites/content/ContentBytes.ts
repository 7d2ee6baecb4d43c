import { assert } from "@effect/vitest";
import { Effect, Schema, Stream } from "effect";
import type { Storage } from "../../Storage.ts";
import type { It } from "../../Suite.ts";
import { read, upload } from "./Upload.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

/** Bytes that differ from adjacent bytes, and from the bytes one block later. */
const pattern = (size: number): Uint8Array =>
  new Uint8Array(size).map((_, n) => (n * 31 + (n >>> 8) * 7 + (n >>> 16)) & 0xff);

const chunksOf = (bytes: Uint8Array, size: number): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    bytes.subarray(n * size, (n + 1) * size),
  );

const same = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, n) => byte === b[n]);

const Size = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 300 }));

export const tests = (it: It<Storage>): void => {
  it.effect("receive returns size and SHA-256", () =>
    Effect.gen(function* () {
      const { sha256, size } = yield* upload(Stream.make(utf8("a"), utf8(""), utf8("bc")));
      assert.strictEqual(size, 3);
      assert.strictEqual(
        sha256,
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      );
    }),
  );

  it.effect("accepts an empty file", () =>
    Effect.gen(function* () {
      for (const bytes of [Stream.empty, Stream.make(new Uint8Array(0))]) {
        const { id, sha256, size } = yield* upload(bytes, 0);
        assert.strictEqual(size, 0);
        assert.strictEqual(
          sha256,
          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        );
        assert.lengthOf(yield* read(id, 0, 0), 0);
      }
    }),
  );

  it.effect("keeps every byte of a large file", () =>
    Effect.gen(function* () {
      const zeros = yield* upload(Stream.fromIterable(chunksOf(new Uint8Array(1_048_576), 65_536)));
      assert.strictEqual(
        zeros.sha256,
        "30e14955ebf1352266dc2ff8067e68104607e750abb9d3b36582b8af909fcb58",
      );
      const bytes = pattern(3_000_001);
      const { id, size } = yield* upload(Stream.fromIterable(chunksOf(bytes, 50_021)));
      assert.strictEqual(size, 3_000_001);
      assert.isTrue(same(yield* read(id, 0, size), bytes));
      assert.isTrue(same(yield* read(id, 65_535, 131_073), bytes.subarray(65_535, 131_073)));
      assert.isTrue(same(yield* read(id, size - 1, size), bytes.subarray(-1)));
      assert.isTrue(same(yield* read(id, 0, 1), bytes.subarray(0, 1)));
    }),
  );

  it.effect("bytes of concurrent uploads are stored unchanged and apart", () =>
    Effect.gen(function* () {
      const files = ["\u0000\r\n\u001a", "🚀 日本", "x".repeat(10_000)].map(utf8);
      const all = [...files, Uint8Array.of(0xff, 0xfe, 0x00, 0x80, 0xc3)];
      const kept = yield* Effect.forEach(
        all,
        (bytes) => {
          const slow = Stream.fromIterable(chunksOf(bytes, 2)).pipe(
            Stream.tap(() => Effect.yieldNow),
          );
          return upload(slow);
        },
        { concurrency: "unbounded" },
      );
      for (const [n, { id, size }] of kept.entries()) {
        assert.deepStrictEqual(yield* read(id, 0, size), all[n]);
      }
    }),
  );

  it.effect.prop(
    "reads any range, start inclusive and end exclusive",
    { size: Size, chunk: Size, a: Size, b: Size },
    ({ a, b, chunk, size }) =>
      Effect.gen(function* () {
        const bytes = pattern(size);
        const { id } = yield* upload(Stream.fromIterable(chunksOf(bytes, chunk + 1)));
        const [start, end] = [Math.min(a, b, size), Math.min(Math.max(a, b), size)];
        assert.isTrue(same(yield* read(id, start, end), bytes.subarray(start, end)));
      }),
    { arbitrary: { runs: 40 } },
  );
};
