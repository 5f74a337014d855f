import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../../tools/vitest/any-character.ts";
import { explainCapture, type Omission } from "../../src/index.ts";
import { modelFullOf } from "./hostile-model.ts";
import { atom, modelOf, requestOf, shopModel, stepOf } from "./models.ts";

test("the explanation of a capture is as in its golden file", async () => {
  await expect(explainCapture(shopModel())).toMatchFileSnapshot("golden/shop.txt");
});

test("a single page is explained in a few lines", () => {
  expect(explainCapture(modelOf())).toBe(`first party: https://shop.test
1 page, 1 request kept, 0 skipped

  wave  wait     request                                                   status     start     took

page "home"                                                                          1.24 s recorded
     1           GET /                                                     200         0 ms   180 ms
`);
});

test("ids and tokens in paths are masked, versions of files are not, and query values are omitted", () => {
  const paths = [
    "/reset/kq8Jd72hLpQ0zXv5Tn3M",
    "/users/jane@mail.test",
    "/app/kq8Jd72hLpQ0zXv5Tn3M.js",
    "/caf%C3%A9/a%2Fb",
    "/search?q=shoes&kq8Jd72hLpQ0zXv5Tn3M=1",
    "/style.css?1513901184&close",
  ];
  const text = explainCapture(modelOf({ steps: [stepOf([paths.map((path) => requestOf(path))])] }));
  const addresses = text.match(/GET \S+/g);
  expect(addresses).toEqual([
    "GET /reset/***",
    "GET /users/***",
    "GET /app/kq8Jd72hLpQ0zXv5Tn3M.js",
    "GET /caf\u00e9/a%2Fb",
    "GET /search?q&***",
    "GET /style.css?***&close",
  ]);
});

test("a long body is described with its first field names and the number of others", () => {
  const fields = Array.from({ length: 20 }, (_, index) => atom(`field${index % 15}`, "x"));
  const request = requestOf("/", { method: "POST", body: { kind: "form", fields } });
  const text = explainCapture(modelOf({ steps: [stepOf([[request]])] })).replace(/\s+/g, " ");
  expect(text).toContain("sends form field0, field1,");
  expect(text).toContain("field11, 3 more");
});

test("a description of a variable is cut at 200 characters", () => {
  const variable = { name: "TOKEN", isOptional: false, description: "of ".repeat(100) };
  const text = explainCapture(modelOf({ variables: [variable] }));
  expect(text.match(/\bof\b/g)).toHaveLength(67);
  expect(text).toContain("…\n");
});

test("a truncated address ends with an ellipsis", () => {
  const [omission] = omissionsOf(1, "ads.test");
  const omissions = [{ ...omission!, url: "https://ads.test/p?a=1&title=Long%20words…" }];
  expect(explainCapture(modelOf({ omissions }))).toContain("GET /p?a&title…\n");
});

function omissionsOf(count: number, host: string): Omission[] {
  return Array.from({ length: count }, (_, index) => ({
    entryIndex: index,
    method: "GET",
    url: `https://${host}/${index}`,
    host,
    reason: "third party",
  }));
}

test("up to 50 omissions are listed one by one, and more are grouped by host with a few examples", () => {
  const few = explainCapture(modelOf({ omissions: omissionsOf(50, "cdn.test") }));
  expect(few.match(/^ {10}GET \/\d+$/gm)).toHaveLength(50);
  const many = explainCapture(
    modelOf({ omissions: [...omissionsOf(50, "cdn.test"), ...omissionsOf(4, "ads.test")] }),
  );
  expect(many.slice(many.lastIndexOf("skipped\n"))).toBe(`skipped
    50  cdn.test: third party
          GET /0
          GET /1
          GET /2
          and 47 more
     4  ads.test: third party
          GET /0
          GET /1
          GET /2
          GET /3
`);
});

test("only the first 20 findings are listed, with the number of others", () => {
  const findings = Array.from({ length: 23 }, (_, index) => ({ path: `$[${index}]`, problem: "is odd" }));
  const text = explainCapture(modelOf({ findings }));
  expect(text).toContain("  $[19]: is odd\n  and 3 more\n");
  expect(text).not.toContain("$[20]");
});

const hostile = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  fc.constantFrom(
    "\u{1b}[31m",
    "\r\n::error::x",
    "\u2028",
    "\u202e",
    "\ud800",
    "x".repeat(5000),
    "a ".repeat(3000),
  ),
);

test("no line is longer than 100 columns or moves the cursor, whatever the capture contains", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const explained = explainCapture(modelFullOf(text));
      expect(explained).not.toMatch(/[[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]--\n]/v);
      const longest = Math.max(...explained.split("\n").map((line) => Array.from(line).length));
      expect(longest).toBeLessThanOrEqual(100);
      expect(explained.split("\n").filter((line) => line.startsWith("::"))).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
