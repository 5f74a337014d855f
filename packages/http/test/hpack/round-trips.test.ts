import fc from "fast-check";
import { expect, test } from "vitest";

import { HpackEncoder } from "../../src/hpack/hpack-encoder.ts";
import { HpackError } from "../../src/hpack/hpack-error.ts";
import { decodeBlock, fieldDecoder } from "./decode.ts";
import { encodeBlock } from "./encode.ts";
import { fieldLists } from "./field-lists.ts";

test("encoded fields decode to themselves, block after block, whatever the table's size", () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fieldLists },
    { weight: 1, arbitrary: fc.constantFrom(0, 31, 64, 200, 4096, 100_000) },
  );
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 30 }),
      fc.array(fc.nat(29), { maxLength: 30 }),
      (steps, again) => {
        const encoder = new HpackEncoder();
        const decoder = fieldDecoder();
        const lists = steps.filter((entry) => typeof entry !== "number");
        for (const entry of [...steps, ...again.flatMap((position) => lists.slice(position, position + 1))]) {
          if (typeof entry === "number") {
            encoder.allowTable(entry);
            continue;
          }
          const block = encodeBlock(encoder, entry);
          expect(decoder.decode(block, 0, block.length)).toEqual(entry);
        }
      },
    ),
    { numRuns: 100 },
  );
});

test("any bytes survive encoding and decoding", () => {
  const bytes = fc.uint8Array({ maxLength: 3000 }).map((array) => Buffer.from(array).toString("latin1"));
  fc.assert(
    fc.property(bytes, bytes, (name, value) => {
      const fields = [name, value];
      expect(decodeBlock(encodeBlock(new HpackEncoder(), fields))).toEqual(fields);
    }),
  );
});

test("random bytes decode, or fail with an HpackError", () => {
  const blocks = fc.array(fc.uint8Array({ maxLength: 80 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(blocks, (all) => decodesOrFails(all.map((block) => Buffer.from(block)))),
    {
      numRuns: 2000,
    },
  );
});

test("mutated blocks decode, or fail with an HpackError", () => {
  const mutation = fc.record({ at: fc.nat(), byte: fc.nat(255), kind: fc.constantFrom("set", "cut", "add") });
  fc.assert(
    fc.property(
      fc.array(fieldLists, { minLength: 1, maxLength: 4 }),
      mutation,
      (lists, { at, byte, kind }) => {
        const encoder = new HpackEncoder();
        const blocks = lists.map((fields) => encodeBlock(encoder, fields));
        const mutated = blocks[at % blocks.length]!;
        const position = mutated.length === 0 ? 0 : at % mutated.length;
        blocks[at % blocks.length] = Buffer.concat([
          mutated.subarray(0, position),
          kind === "cut" ? Buffer.alloc(0) : Buffer.from([byte]),
          mutated.subarray(kind === "add" ? position : position + 1),
        ]);
        decodesOrFails(blocks);
      },
    ),
    { numRuns: 500 },
  );
});

/** Decodes the blocks of one connection; an error must be the codec's own. */
function decodesOrFails(blocks: readonly Buffer[]): void {
  const decoder = fieldDecoder();
  try {
    for (const block of blocks) {
      const fields = decoder.decode(block, 0, block.length);
      expect((fields?.length ?? 0) % 2).toBe(0);
    }
  } catch (error) {
    expect(error).toBeInstanceOf(HpackError);
  }
}
