import { describe, expect, test } from "vitest";

import { maxBytes, maxEntries, CachedBodies } from "../../src/session/browser-cache.ts";
import { fresh, page, text, visitor } from "./cache-visitor.ts";

describe("a cache is bounded", () => {
  test("by the number of responses: the least recently used is dropped first", () => {
    const { lookUp, store } = visitor();
    for (let index = 0; index < maxEntries; index++) store({ url: `${page}?${index}` }, 200, fresh);
    expect(lookUp({ url: `${page}?0` }).kind).toBe("fresh");
    store({ url: `${page}?new` }, 200, fresh);
    expect(["0", "1", "2", "new"].map((query) => lookUp({ url: `${page}?${query}` }).kind)).toEqual([
      "fresh",
      "miss",
      "fresh",
      "fresh",
    ]);
  });

  test("by bytes, and a response that fills more than a quarter of it is not kept", () => {
    const { lookUp, store } = visitor();
    const quarter = "x".repeat(maxBytes / 4);
    for (let index = 0; index < 5; index++) store({ url: `${page}?${index}` }, 200, fresh, quarter);
    expect([0, 1, 2, 3, 4].map((index) => lookUp({ url: `${page}?${index}` }).kind)).toEqual([
      "miss",
      "miss",
      "fresh",
      "fresh",
      "fresh",
    ]);
    store({ url: `${page}?4` }, 200, fresh, `${quarter}x`);
    expect(lookUp({ url: `${page}?4` }).kind).toBe("miss");
  });

  test("and has its full size again for the next visitor", () => {
    const { cache, lookUp, store } = visitor();
    const quarter = "x".repeat(maxBytes / 4);
    const fill = () => [0, 1, 2].forEach((index) => store({ url: `${page}?${index}` }, 200, fresh, quarter));
    fill();
    cache.clear();
    expect(lookUp({ url: `${page}?0` }).kind).toBe("miss");
    fill();
    expect([0, 1, 2].map((index) => lookUp({ url: `${page}?${index}` }).kind)).toEqual([
      "fresh",
      "fresh",
      "fresh",
    ]);
  });

  test("and a response that comes again and again takes its room once", () => {
    const { lookUp, store, revalidate, wait } = visitor();
    const half = "x".repeat(maxBytes / 8);
    store({ url: `${page}?other` }, 200, ["cache-control", "max-age=99999"]);
    for (let index = 0; index < 50; index++) {
      store({}, 200, fresh, half);
      wait(60);
      revalidate(lookUp(), []);
    }
    expect(lookUp({ url: `${page}?other` }).kind).toBe("fresh");
  });
});

describe("visitors with the same response", () => {
  test("share its bytes, and nothing else", () => {
    const bodies = new CachedBodies();
    const [one, other, third] = [visitor(bodies), visitor(bodies), visitor(bodies)];
    one.store({}, 200, fresh, "a { }");
    other.store({}, 200, fresh, "a { }");
    third.store({}, 200, fresh, "b { }");
    const kept = [one, other, third]
      .map(({ lookUp }) => lookUp())
      .flatMap((found) => (found.kind === "fresh" ? [found.response] : []));
    expect(kept.map(text)).toEqual(["a { }", "a { }", "b { }"]);
    expect(kept[0]?.body).toBe(kept[1]?.body);
    one.cache.clear();
    expect(one.lookUp().kind).toBe("miss");
    expect(other.lookUp().kind).toBe("fresh");
  });
});
