import { describe, expect, test } from "vitest";

import { CachedBodies } from "../../src/session/browser-cache.ts";

const page = "http://shop.example/style.css";

describe("bodies of one address", () => {
  test("are distinguished by every byte, however the pieces were cut", () => {
    const bodies = new CachedBodies();
    const first = bodies.share(page, [Buffer.from("abc"), Buffer.from("def")]);
    expect(bodies.share(page, [Buffer.from("abcdef")])).toBe(first);
    expect(bodies.share(page, [Buffer.from("ab"), Buffer.from(""), Buffer.from("cdef")])).toBe(first);
    for (const different of ["abcde", "abcdefg", "abcdeg", ""]) {
      expect(bodies.share(page, [Buffer.from(different)]).wire.toString()).toBe(different);
    }
  });

  test("are copies, as the connection's buffer is reused", () => {
    const received = Buffer.from("abc");
    const body = new CachedBodies().share(page, [received]);
    received.fill("x");
    expect(body.wire.toString()).toBe("abc");
  });
});

test("only so many addresses are remembered; bodies of the others stay valid", () => {
  const bodies = new CachedBodies();
  const first = bodies.share(page, [Buffer.from("abc")]);
  for (let index = 0; index < 5000; index++) bodies.share(`${page}?${index}`, [Buffer.from("abc")]);
  const again = bodies.share(page, [Buffer.from("abc")]);
  expect(again).not.toBe(first);
  expect(again.wire).toEqual(first.wire);
});
