import { expect, test } from "vitest";

import { scatteredNames } from "../../../src/outcome/verdict/load-requests.ts";
import { endingOf } from "./ending-of.ts";

function reasonsFor(names: readonly string[]): unknown {
  const counts = { started: 1, sent: 1, succeeded: 1, failed: 0, interrupted: 0, lost: 0 };
  return scatteredNames(endingOf({}, { requests: names.map((name) => ({ name, ...counts })) }));
}

const posts = Array.from({ length: 40 }, (_, index) => `GET api.shop.test/posts/post-no-${index}/edit`);
const others = Array.from({ length: 35 }, (_, index) => `GET /page${index}/a${index}`);

test("requests with a name for each object are noted, with a name that they could share", () => {
  expect(reasonsFor([...others, ...posts])).toEqual([
    {
      code: 0,
      message:
        '40 of the 75 names of requests are like "GET api.shop.test/posts/post-no-0/edit" but for one segment: give these requests one name, with the option name: "GET api.shop.test/posts/:id/edit"',
    },
  ]);
});

test.each([
  ["few names", posts.slice(0, 29)],
  ["names that are mostly others", [...posts.slice(0, 34), ...others]],
  ["names of ids", ["GET /posts/:id", "GET /"]],
  ["names that a test gave", Array.from({ length: 60 }, (_, index) => `step ${index}`)],
])("%s are left alone", (_what, names) => {
  expect(reasonsFor(names)).toEqual([]);
});
