import { csv, defineTest, json, ndjson, rows } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";
import { validateTest } from "../../src/definition/validate-test.ts";

const exec = (): void => undefined;
const readers = { executor: "shared-iterations", exec } as const;

function problemsOf(feeds: unknown, scenarios: object = { readers }): string[] {
  return validateTest({ scenarios, feeds }).problems.map(({ message }) => message);
}

describe("feeds", () => {
  test("are returned as plain data, with defaults", () => {
    const feeds = {
      users: csv("users.csv"),
      orders: json("orders.json", { order: "shuffled", unique: true, scenarios: ["readers"] }),
      lines: ndjson({ href: "file:///lines.ndjson" }, { atEnd: "stop" }),
      products: rows(["a"], { order: "random", per: "vu" }),
      sizes: ["s", "m"],
    };
    const given = defineTest({ feeds, scenarios: { readers } });
    const defaults = {
      order: "sequential",
      per: "iteration",
      atEnd: "wrap",
      isUnique: false,
      scenarios: null,
      rows: null,
    };
    expect(validateTest(given)).toMatchObject({
      problems: [],
      test: {
        feeds: [
          { ...defaults, name: "users", format: "csv" },
          {
            ...defaults,
            name: "orders",
            format: "json",
            order: "shuffled",
            isUnique: true,
            scenarios: ["readers"],
          },
          { ...defaults, name: "lines", format: "ndjson", atEnd: "stop" },
          { ...defaults, name: "products", format: "rows", order: "random", per: "vu" },
          { ...defaults, name: "sizes", format: "rows" },
        ],
      },
    });
  });

  test.each([
    [
      { users: "users.csv" },
      'feeds.users must be an array of rows, or what csv, json, ndjson or rows returns, but is "users.csv".',
    ],
    [[], "feeds must be an object, but is an array."],
    [{ " ": ["a"] }, 'feeds[" "] has a name that must not be blank.'],
    [
      { u: { format: "csv", from: "", options: {} } },
      'feeds.u must name a file: a path or a URL of file:, but has "".',
    ],
    [
      { u: { format: "csv", from: { href: "http://x/u.csv" }, options: {} } },
      "feeds.u must name a file: a path or a URL of file:, but has an object.",
    ],
    [{ u: { format: "rows", from: "a", options: {} } }, 'feeds.u must have an array of rows, but has "a".'],
    [
      { u: { ...csv("u.csv"), options: { order: "suffled" } } },
      'feeds.u.order must be one of "sequential", "shuffled", "random", but is "suffled": did you mean "shuffled"?',
    ],
    [
      { u: { ...json("u.json"), options: { delimiter: ";" } } },
      "feeds.u.delimiter is not an option of a feed: it takes order, per, atEnd, unique, scenarios, schema.",
    ],
    [
      { u: { ...csv("u.csv"), options: { uniqe: true } } },
      'feeds.u.uniqe is not an option of csv: did you mean "unique"?',
    ],
    [
      { u: { ...csv("u.csv"), options: { schema: {} } } },
      "feeds.u.schema must be a schema of zod, valibot or another Standard Schema library, but is an object.",
    ],
    [
      { u: csv("u.csv", { header: false }) },
      "feeds.u.columns must list the columns if the file has no header line.",
    ],
    [{ u: csv("u.csv", { delimiter: "||" }) }, "feeds.u.delimiter must be one character."],
    [
      { u: rows([1], { unique: true, order: "random" }) },
      'feeds.u.order can\'t be "random" with unique, because a random row may repeat. Use "shuffled".',
    ],
    [
      { u: rows([1], { atEnd: "stop", order: "random" }) },
      'feeds.u.atEnd can\'t be "stop" with order "random", which never ends. Use "shuffled".',
    ],
    [
      { u: rows([1], { atEnd: "wrap", unique: true }) },
      'feeds.u.atEnd can\'t be "wrap" with unique. Leave it out, or use "stop" to end the scenario instead.',
    ],
    [
      { u: rows([1], { atEnd: "stop", per: "vu" }) },
      'feeds.u.atEnd can\'t be "stop" with per: "vu", where each virtual user keeps its row. Leave it out.',
    ],
    [
      { u: rows([1], { scenarios: ["raeders"] }) },
      'feeds.u.scenarios[0] is not a scenario of the test: did you mean "readers"?',
    ],
  ])("that are wrong are refused with a sentence: %j", (feeds, sentence) => {
    expect(problemsOf(feeds)).toEqual([sentence]);
  });

  test("that end scenarios must name them if the test has several", () => {
    const feeds = {
      u: rows([1], { atEnd: "stop" }),
      v: rows([1], { atEnd: "stop", scenarios: ["writers"] }),
    };
    expect(problemsOf(feeds, { readers, writers: readers })).toEqual([
      'feeds.u.atEnd ends scenarios, and the test has several: name those that use the feed, such as scenarios: ["readers"].',
    ]);
  });
});
