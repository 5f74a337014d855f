import { describe, expect, test } from "vitest";

import { readThrown } from "../../src/protocol/read-thrown.ts";

function refuse(): never {
  throw new Error("the trap was called");
}

describe("a thrown value that cannot be converted to text", () => {
  const reason = "a value that cannot be shown was thrown";

  test("has the stack of the error behind it if it is a proxy whose traps throw", () => {
    const thrown: unknown = new Proxy(new Error("behind"), { get: refuse, has: refuse, ownKeys: refuse });
    const read = readThrown(thrown);
    expect(read.reason).toBe(reason);
    expect(read.stack).toContain("read-thrown.test.ts");
  });

  test("has no stack if it is no proxy", () => {
    expect(readThrown(Object.create(null))).toMatchObject({ reason, stack: null });
  });
});
