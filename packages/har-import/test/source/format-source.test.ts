import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../../tools/vitest/any-character.ts";
import { formatPlainStep, formatSource, visitMark } from "../../src/source/format-source.ts";
import { quoteText } from "../../src/source/quote-text.ts";

const frame = `// From a capture.
import { defineTest } from "@bearhug/sdk";

export default defineTest({
name: ${quoteText(visitMark)},
scenarios: {
visitors: {
executor: "shared-iterations", vus: 1, exec: async ({ http, page, check, sleep }) => {
${visitMark}
} } }
});
`;

const paths = fc.oneof(
  fc.nat(60).map((length) => `/${"x".repeat(length)}`),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom('/a"b', "/it's", "/back\\slash", "/ä", "/`${x}", "/日本"),
);
const request = fc
  .tuple(fc.constantFrom("get", "post", "head"), paths)
  .map(([method, path]) => `await http.${method}(${quoteText(path)})`);
const statements = fc.oneof(
  { weight: 6, arbitrary: request.map((code) => `check(${code}, statusIs(200));`) },
  { weight: 2, arbitrary: request.map((code) => `check(${code}, statusIs(200, 304));`) },
  {
    weight: 4,
    arbitrary: request.map((code) => `check(${code}, { ...statusIs(200), ...isNotHtml() });`),
  },
  { weight: 2, arbitrary: request.map((code) => `${code};`) },
  { weight: 2, arbitrary: fc.constantFrom('await sleep("30ms");', 'await sleep("1s");') },
  {
    weight: 1,
    arbitrary: request.map(
      (code) => `// A hint.\nconst answer = ${code.replace(/\)$/, ', { headers: { a: "b" } })')};`,
    ),
  },
);
const steps = fc
  .tuple(
    fc.constantFrom("page", "group"),
    paths,
    fc.array(fc.tuple(statements, fc.constantFrom("\n", "\n\n", "\n\n\n")), { minLength: 1, maxLength: 6 }),
    fc.constantFrom("", '\n\nawait think("2.5s");'),
  )
  .map(
    ([kind, name, lines, thought]) =>
      `await ${kind}(${quoteText(name)}, async () => {\n${lines.map((line) => line.join("")).join("")}});${thought}`,
  );

describe("a visit formatted piece by piece", () => {
  test("is the same as formatted at once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 5 }), async (pieces) => {
        const whole = await formatSource({ frame, pieces }, Infinity);
        expect(await formatSource({ frame, pieces }, 1)).toBe(whole);
        expect(await formatSource({ frame, pieces }, 600)).toBe(whole);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a step of plain requests", () => {
  test("is formatted without prettier as long as its lines fit", () => {
    const step = (path: string): string =>
      `await page("home", async () => {\ncheck(await http.get("${path}"), statusIs(200));\n\n});`;
    const longest = `/${"x".repeat(28)}`;
    expect(formatPlainStep(step(longest))).toBe(
      `        await page("home", async () => {\n          check(await http.get("${longest}"), statusIs(200));\n        });`,
    );
    expect(formatPlainStep(step(`${longest}x`))).toBeNull();
  });

  test.each([
    'await page("home", async () => {\n// A hint.\nawait http.get("/");\n});',
    'await page("home", async () => {\nawait http.get("/a\\\\b");\n});',
    'await page("home", async () => {\nawait http.get("/", { body: "x" });\n});',
    'await page("home", async () => {\n});',
    'await page("home", async () => {\nawait http.get("/");\n});\n\nawait other();',
    'const { a } = await page("home", async () => {\nawait http.get("/");\nreturn { a };\n});',
    "http.cookies.set();",
    "",
  ])("is left to prettier if its format is not certain: %j", (code) => {
    expect(formatPlainStep(code)).toBeNull();
  });
});
