import { describe, expect, test } from "vitest";

import * as bench from "../../../src/commands/bench/bench.ts";
import { explainForeignFlag } from "../../../src/commands/command-line/explain-foreign-flag.ts";
import { foreignFlags } from "../../../src/commands/command-line/foreign-flags.ts";
import * as report from "../../../src/commands/report/report.ts";
import * as run from "../../../src/commands/run/run.ts";

const hintFor = (line: string, command = bench.createCommand()): string | undefined => {
  const [text = "", next] = line.split(" ");
  return explainForeignFlag(command, text, next)?.hint;
};

const commands = [bench.createCommand(), run.createCommand()];
/** Values that meet each condition of the table at least once. */
const values = ["10", "post.lua", "10s:5", "false", "50/1s", "user:password", "csv", "r.csv", undefined];

test.each(foreignFlags.map((row) => ({ ...row, condition: String(row.when ?? "") })))(
  "$flag $condition of $tools is explained for a URL or for a test",
  (row) => {
    const hints = commands.flatMap((command) =>
      values.map((value) => explainForeignFlag(command, row.flag, value)?.hint ?? ""),
    );
    expect(hints.some((hint) => hint.includes(` of ${row.tools} `))).toBe(true);
  },
);

describe("a flag of another tool", () => {
  test.each([
    ["-z 10s", "-z 10s of hey and oha is -d 10s here."],
    ["-z10s", "-z 10s of hey and oha is -d 10s here."],
    ["-duration=10s", "-duration 10s of vegeta is -d 10s here."],
    ["-R2000", "-R 2000 of wrk2 and autocannon is --rate 2000 here."],
    ["-m POST", "-m POST of ab, hey, oha, and autocannon is -X POST here."],
    ["-s post.lua", "-s of wrk and wrk2 has no equivalent here: write a test for bearhug run."],
    ["-s 30", "-s 30 of ab is -T 30s here."],
    ["--rps 500", "--rps 500 of Nighthawk is --rate 500 here, times --concurrency: rates are totals."],
    ["--open-loop", "--open-loop of Nighthawk is not needed: with --rate, the load is an open model."],
    ["-A user:password", "-A of ab is -u name:password here."],
    ["-A text/html", '-A of hey and oha is -H "accept: text/html" here.'],
    ["-q 100", "-q 100 of oha is --rate 100 here; hey's is per worker, so multiply it by -c."],
    ["-q", "-q of k6 and ab is --quiet here."],
    ["--http-debug full", "--http-debug of k6 is bearhug try FILE here, which prints each exchange."],
    ["--no-color", "--no-color of k6 and oha is the variable NO_COLOR=1 here."],
    ["--num 20", "--num of artillery quick is -n here, for all users together: --count × --num."],
  ])("%s is translated: %s", (line, hint) => {
    expect(hintFor(line)).toBe(hint);
  });

  test("is translated to the command's own option: VUs for a test, connections for a URL", () => {
    expect(hintFor("--count 5")).toBe("--count 5 of artillery quick is -c 5 here.");
    expect(hintFor("--count 5", run.createCommand())).toBe("--count 5 of artillery quick is -u 5 here.");
  });

  test("is not explained by a command that applies no load; a flag of no tool is never explained", () => {
    expect(hintFor("-z 10s", report.createCommand())).toBeUndefined();
    expect(hintFor("--open-loop", report.createCommand())).toBeUndefined();
    expect(hintFor("--nonsense 1")).toBeUndefined();
  });

  test("consumes its value, but no other argument", () => {
    const command = bench.createCommand();
    const takesNext = (text: string, next: string) => explainForeignFlag(command, text, next)?.takesNext;
    expect(takesNext("-z", "10s")).toBe(true);
    expect(takesNext("-z10s", "http://127.0.0.1/")).toBe(false);
    expect(takesNext("-duration=10s", "http://127.0.0.1/")).toBe(false);
    expect(takesNext("--open-loop", "http://127.0.0.1/")).toBe(false);
    expect(takesNext("-i", "http://127.0.0.1/")).toBe(false);
  });

  test("is explained without a value that may be secret", () => {
    const secrets = ["-a me:swordfish", "-A me:swordfish", "-C id=swordfish", "-P me:swordfish"];
    for (const line of secrets) expect(hintFor(line)).not.toContain("swordfish");
  });
});
