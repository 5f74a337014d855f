import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../tools/vitest/any-character.ts";
import { matchesTags, MetricSelectorSyntaxError, parseMetricSelector } from "../src/metric-selector.ts";

function errorOf(key: string): MetricSelectorSyntaxError {
  try {
    parseMetricSelector(key);
  } catch (error) {
    if (error instanceof MetricSelectorSyntaxError) return error;
    throw error;
  }
  throw new Error(`${key} was read`);
}

describe("parseMetricSelector", () => {
  test("reads a metric alone as all its samples", () => {
    expect(parseMetricSelector("http_reqs")).toEqual({ metric: "http_reqs", filters: [] });
    expect(parseMetricSelector(" http_reqs ")).toEqual({ metric: "http_reqs", filters: [] });
  });

  test("reads filters of the three kinds", () => {
    expect(parseMetricSelector("http_req_duration{page:home,status!:500,name~:^GET /api}")).toEqual({
      metric: "http_req_duration",
      filters: [
        { tag: "page", operator: "equals", value: "home" },
        { tag: "status", operator: "notEquals", value: "500" },
        { tag: "name", operator: "matches", value: "^GET /api", pattern: /^GET \/api/ },
      ],
    });
  });

  test("reads values literally: spaces, colons, braces, and commas after a backslash", () => {
    expect(parseMetricSelector("m{ name : GET /a:b {c} , page:x\\,y,path~:^/v\\d{1\\,3}$ }").filters).toEqual(
      [
        { tag: "name", operator: "equals", value: "GET /a:b {c}" },
        { tag: "page", operator: "equals", value: "x,y" },
        { tag: "path", operator: "matches", value: "^/v\\d{1,3}$", pattern: /^\/v\d{1,3}$/ },
      ],
    );
  });

  test.for([
    ["", 0, "the name of a metric"],
    ["  ", 2, "the name of a metric"],
    ["{page:home}", 0, "the name of a metric"],
    ["m}", 1, '"{" or the end'],
    ["m{", 2, "a tag, as in {page:home}"],
    ["m{}", 2, "a tag, as in {page:home}"],
    ["m{page:home", 11, '"}"'],
    ["m{page:home}x", 13, '"}"'],
    ["m{page}", 6, '":", "!:" or "~:"'],
    ["m{name:a, b}", 11, '":", "!:" or "~:" (a comma in a value is written "\\,")'],
    ["m{page=home}", 6, '":", "!:" or "~:"'],
    ["m{page:}", 7, "a value"],
    ["m{page: }", 8, "a value"],
    ["m{page:home,}", 12, "a tag, as in {page:home}"],
    ["m{name~:(}", 8, "a valid regular expression"],
  ] as const)("refuses %j at index %d, expecting %s", ([selector, offset, expected]) => {
    const error = errorOf(selector);
    expect(error).toMatchObject({ code: "INVALID_METRIC_SELECTOR", selector, offset });
    expect(error.message).toBe(`Metric "${selector}": expected ${expected} at character ${offset + 1}.`);
  });

  test("throws nothing but its own error, with an offset within the key", () => {
    const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.stringMatching(/^[ab{}:!~, \\(]{0,12}$/));
    fc.assert(
      fc.property(text, (anything) => {
        try {
          expect(parseMetricSelector(anything).metric).not.toBe("");
        } catch {
          const { offset } = errorOf(anything);
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset).toBeLessThanOrEqual(anything.length);
        }
      }),
    );
  });

  test("reads back any tags and values", () => {
    const filter = fc.record({
      tag: fc.stringMatching(/^[a-zäß_0-9]{1,8}$/),
      operator: fc.constantFrom("equals" as const, "notEquals" as const),
      value: fc
        .string({ minLength: 1 })
        .filter((value) => value === value.trim() && !value.endsWith("\\") && !value.includes("\\,")),
    });
    fc.assert(
      fc.property(fc.array(filter, { minLength: 1, maxLength: 4 }), (filters) => {
        const written = filters.map(
          ({ tag, operator, value }) =>
            `${tag}${operator === "equals" ? ":" : "!:"}${value.replaceAll(",", "\\,")}`,
        );
        expect(parseMetricSelector(`m{${written.join(",")}}`)).toEqual({ metric: "m", filters });
      }),
    );
  });
});

describe("matchesTags", () => {
  const tags = { page: "home", status: "200", name: "GET /api/users" };

  test.for([
    ["m", true],
    ["m{page:home}", true],
    ["m{page:cart}", false],
    ["m{page!:cart}", true],
    ["m{page!:home}", false],
    ["m{name~:^GET /api}", true],
    ["m{name~:^POST}", false],
    ["m{page:home,status:200}", true],
    ["m{page:home,status:500}", false],
    ["m{group:checkout}", false],
    ["m{group!:checkout}", true],
    ["m{group~:.*}", false],
    ["m{constructor~:.}", false],
  ] as const)("%s: %s", ([key, expected]) => {
    expect(matchesTags(parseMetricSelector(key), tags)).toBe(expected);
  });
});
