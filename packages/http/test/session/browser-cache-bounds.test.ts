import { describe, expect, test } from "vitest";

import { maxBytes, maxEntries, CachedBodies } from "../../src/session/browser-cache.ts";
import { fresh, page, text, visitor } from "./cache-visitor.ts";

describe("a cache is bounded", () => {
  test("by the number of answers, the least recently used out first", () => {
    const { ask, get } = visitor();
    for (let index = 0; index < maxEntries; index++) get({ url: `${page}?${index}` }, 200, fresh);
    expect(ask({ url: `${page}?0` }).kind).toBe("fresh");
    get({ url: `${page}?new` }, 200, fresh);
    expect(["0", "1", "2", "new"].map((query) => ask({ url: `${page}?${query}` }).kind)).toEqual([
      "fresh",
      "miss",
      "fresh",
      "fresh",
    ]);
  });

  test("by bytes, and an answer that would fill a quarter of it alone is not kept", () => {
    const { ask, get } = visitor();
    const quarter = "x".repeat(maxBytes / 4);
    for (let index = 0; index < 5; index++) get({ url: `${page}?${index}` }, 200, fresh, quarter);
    expect([0, 1, 2, 3, 4].map((index) => ask({ url: `${page}?${index}` }).kind)).toEqual([
      "miss",
      "miss",
      "fresh",
      "fresh",
      "fresh",
    ]);
    get({ url: `${page}?4` }, 200, fresh, `${quarter}x`);
    expect(ask({ url: `${page}?4` }).kind).toBe("miss");
  });

  test("and holds as much again for the next visitor", () => {
    const { cache, ask, get } = visitor();
    const quarter = "x".repeat(maxBytes / 4);
    const fill = () => [0, 1, 2].forEach((index) => get({ url: `${page}?${index}` }, 200, fresh, quarter));
    fill();
    cache.clear();
    expect(ask({ url: `${page}?0` }).kind).toBe("miss");
    fill();
    expect([0, 1, 2].map((index) => ask({ url: `${page}?${index}` }).kind)).toEqual([
      "fresh",
      "fresh",
      "fresh",
    ]);
  });

  test("also when the same answer comes again and again", () => {
    const { ask, get, confirm, wait } = visitor();
    const half = "x".repeat(maxBytes / 8);
    get({ url: `${page}?other` }, 200, ["cache-control", "max-age=99999"]);
    for (let index = 0; index < 50; index++) {
      get({}, 200, fresh, half);
      wait(60);
      confirm(ask(), []);
    }
    expect(ask({ url: `${page}?other` }).kind).toBe("fresh");
  });
});

describe("visitors with the same answer", () => {
  test("share its bytes, and no more than that", () => {
    const bodies = new CachedBodies();
    const [one, other, third] = [visitor(bodies), visitor(bodies), visitor(bodies)];
    one.get({}, 200, fresh, "a { }");
    other.get({}, 200, fresh, "a { }");
    third.get({}, 200, fresh, "b { }");
    const kept = [one, other, third]
      .map(({ ask }) => ask())
      .flatMap((answer) => (answer.kind === "fresh" ? [answer.response] : []));
    expect(kept.map(text)).toEqual(["a { }", "a { }", "b { }"]);
    expect(kept[0]?.body).toBe(kept[1]?.body);
    one.cache.clear();
    expect(one.ask().kind).toBe("miss");
    expect(other.ask().kind).toBe("fresh");
  });
});
