import fc from "fast-check";
import { expect, test } from "vitest";

import { StreamTable } from "../../src/http2/stream-table.ts";

test("a table contains what was added and not deleted, like a map", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constant("add" as const), fc.nat(200)), { maxLength: 400 }), (steps) => {
      const table = new StreamTable<{ readonly id: number }>();
      const map = new Map<number, { readonly id: number }>();
      let next = 1;
      for (const step of steps) {
        if (step === "add") {
          const stream = { id: next };
          // Stream numbers may be skipped.
          next += next % 7 === 0 ? 66 : 2;
          table.add(stream);
          map.set(stream.id, stream);
        } else {
          const id = [...map.keys()][step] ?? 2 * step + 1;
          expect(table.delete(id)).toBe(map.delete(id));
        }
      }
      expect(table.size).toBe(map.size);
      for (let id = 1; id < next; id += 2) expect(table.get(id)).toBe(map.get(id) ?? null);
      expect(new Set(table.all())).toEqual(new Set(map.values()));
    }),
  );
});
