import { assert, describe, it } from "@effect/vitest";
import { Oversized } from "../src/protocol/Oversized.ts";

const big = JSON.stringify({
  text: `{"id":5,"result":"${"x".repeat(5_000)}", "id":6, "jsonrpc":"2.0"}`,
});

/** The facts extracted from a message that arrives in parts of `size` bytes. */
const read = (text: string, size: number) => {
  const oversized = new Oversized();
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += size) {
    oversized.push(bytes.subarray(from, from + size));
  }
  return oversized;
};

describe("a message that is too large", () => {
  it.each([
    [`{"jsonrpc":"2.0","id":7,"result":${big}}`, 7],
    [`{"id":7,"jsonrpc":"2.0","error":${big}}`, 7],
    [` { "id" : "a\\"b" , "result" : ${big} } `, 'a"b'],
    [`{"result":${big},"jsonrpc":"2.0","id":7}`, 7],
    [`{"jsonrpc":"2.0","error":${big},"id":7}`, 7],
    [`{"result":${big}, "id": 7, "jsonrpc": "2.0"}\r`, 7],
    [`event: message\nid: 1\ndata: {"jsonrpc":"2.0","id":7,"result":${big}}`, 7],
    [`data: {"result":${big},"jsonrpc":"2.0","id":7}`, 7],
    // The id is neither before nor after the result.
    [`{"result":${big},"id":7,"_meta":${big}}`, undefined],
    // Requests and notifications of the server have their own ids.
    [`{"jsonrpc":"2.0","id":7,"method":"roots/list","params":${big}}`, undefined],
    [`{"method":"roots/list","params":${big},"jsonrpc":"2.0","id":7}`, undefined],
    [`{"jsonrpc":"2.0","method":"notifications/message","params":${big}}`, undefined],
    [`[{"jsonrpc":"2.0","id":7,"result":${big}}]`, undefined],
    [`noise ${big},"id":7}`, undefined],
  ] as const)(
    "[connector.stdio.tooLarge] the id of a response is read from its ends: %#",
    (text, id) => {
      for (const size of [1, 100, 1_000_000]) {
        const { bytes, responseId } = read(text, size);
        assert.deepStrictEqual([bytes, responseId], [Buffer.byteLength(text), id]);
      }
    },
  );
});
