import fc from "fast-check";
import { expect, test } from "vitest";

import { restOf, SharedReader } from "../../src/net/shared-reader.ts";

test("connections that read in turn get their own bytes, and the right rest of them", () => {
  const readers = [new SharedReader(), new SharedReader()];
  const reads = fc.array(fc.record({ reader: fc.nat(1), length: fc.integer({ min: 1, max: 4 }) }));
  let seed = 0;
  fc.assert(
    fc.property(reads, (given) => {
      for (const { reader: index, length } of given) {
        const reader = readers[index] ?? new SharedReader();
        const sent = Buffer.from(Array.from({ length }, () => seed++ % 256));
        const got: Buffer[] = [];
        reader.receiver = {
          onBytes: (bytes) => {
            for (let start = 1; start < length; start++) got.push(Buffer.from(restOf(bytes, start)));
            got.push(Buffer.from(bytes));
          },
        };
        sent.copy(reader.buffer);
        reader.callback(length);
        expect(got).toEqual([...Array.from({ length: length - 1 }, (_, at) => sent.subarray(at + 1)), sent]);
      }
    }),
  );
});

test("bytes outside the shared memory have a rest, too", () => {
  expect(restOf(Buffer.from("hello"), 3)).toEqual(Buffer.from("lo"));
});
