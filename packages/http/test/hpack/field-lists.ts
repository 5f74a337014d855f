import fc from "fast-check";

const names = fc.oneof(
  fc.constantFrom(
    ":path",
    ":method",
    "accept",
    "cookie",
    "authorization",
    "user-agent",
    "set-cookie",
    "x-id",
  ),
  fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/),
);
const values = fc.oneof(
  fc.constantFrom("", "/", "GET", "*/*", "gzip, deflate", "text/html; charset=utf-8"),
  fc.string({ maxLength: 60 }),
  fc.integer({ min: 0, max: 4200 }).map((length) => "v".repeat(length)),
);

/** Names and values in turn: a few common ones, which repeat, and random ones. */
export const fieldLists: fc.Arbitrary<readonly string[]> = fc
  .array(fc.tuple(names, values), { maxLength: 12 })
  .map((fields) => fields.flat());
