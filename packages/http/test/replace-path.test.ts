import { expect, test } from "vitest";

import { replacePath } from "../src/request/endpoint-cache.ts";

test.each([
  ["/old", "/old", "/new", "/new"],
  ["/old?a=1#top", "/old", "/new", "/new?a=1"],
  ["/old?a=1", "/old", "/new?b=2", "/new?b=2"],
  ["/old?a=1", "/old?a=1", "/new", "/new"],
  ["/old?a=2", "/old?a=1", "/new", "/old?a=2"],
  ["/older", "/old", "/new", "/older"],
  ["/any/path?a=1", null, "/new", "/new"],
])("%s with %s replaced by %s is %s", (rest, from, to, expected) => {
  expect(replacePath(rest, [{ from, to }])).toBe(expected);
});
