import { describe, expect, test } from "vitest";

import { readOptions } from "../../compare/options.ts";

const known = { cases: ["plain", "tls"], tools: ["wrk", "k6"], cores: 4 };

test("by default, everything runs five times, with the client on the last core and the server on the first", () => {
  expect(readOptions([], known)).toEqual({
    problems: [],
    options: {
      rounds: 5,
      minutes: null,
      windowS: 2.5,
      cases: [],
      tools: [],
      clientCore: 3,
      serverCore: 0,
      out: "bench/results.json",
      from: null,
      isWritingDocs: false,
      isListing: false,
    },
  });
});

test("cases and tools are lists, and may be repeated", () => {
  const { options, problems } = readOptions(["--case", "plain,tls", "--tool", "k6", "--tool", "wrk"], known);
  expect(problems).toEqual([]);
  expect(options).toMatchObject({ cases: ["plain", "tls"], tools: ["k6", "wrk"] });
});

describe("a problem is reported with its option", () => {
  test.for([
    [["--rounds", "0"], "--rounds 0: must be a whole number above 0."],
    [["--rounds", "1.5"], "--rounds 1.5: must be a whole number above 0."],
    [["--minutes", "soon"], "--minutes soon: must be above 0."],
    [["--seconds", ""], "--seconds : must be at least 1."],
    [["--case", "plane"], "--case plane: there is no such case. Choose from plain, tls."],
    [["--tool", "curl"], "--tool curl: there is no such tool. Choose from wrk, k6."],
    [["--client-core", "4"], "--client-core 4: must be a core of this machine, 0 to 3."],
    [
      ["--client-core", "0"],
      "--client-core 0: is the server's core, too, so each would slow the other down. Choose another.",
    ],
  ] as const)("%j", ([written, problem]) => {
    expect(readOptions(written, known).problems).toEqual([problem]);
  });

  test("all problems at once", () => {
    expect(readOptions(["--rounds", "x", "--case", "y"], known).problems).toHaveLength(2);
  });
});
