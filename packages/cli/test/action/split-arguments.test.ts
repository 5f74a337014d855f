import { execFileSync } from "node:child_process";

import { expect, test } from "vitest";

import { splitArguments } from "../../../../action/split-arguments.ts";

test.each([
  ["white space and newlines", "--vus 20\n\t--duration 30s ", ["--vus", "20", "--duration", "30s"]],
  ["quotes", `--threshold 'a: p95<1' --env "A=b c"`, ["--threshold", "a: p95<1", "--env", "A=b c"]],
  ["quotes within a word", `--env=A="b 'c'"'"d"'`, [`--env=A=b 'c'"d"`]],
  ["an empty word", `--tag "" ''`, ["--tag", "", ""]],
  ["backslashes", String.raw`a\ b \" "c\"d\n" 'e\f'`, ["a b", '"', String.raw`c"d\n`, String.raw`e\f`]],
  [
    "lines that a backslash joins",
    '--vus 20 \\\n  --env "A=b\\\nc" \\\n--du\\\nration 30s \\\n',
    ["--vus", "20", "--env", "A=bc", "--duration", "30s"],
  ],
  ["nothing", " \n", []],
])("arguments are split as in a shell: %s", (_, text, expected) => {
  expect(splitArguments(text)).toEqual(expected);
  if (process.platform === "win32") return;
  // The shell splits the text in the same way, because it contains nothing to expand.
  const shell = execFileSync("bash", [
    "-c",
    `set -- ${text.replaceAll(/(?<!\\)\n/g, " ")}; printf '%s\\0' "$@"`,
  ]);
  expect(shell.toString().split("\0").slice(0, -1)).toEqual(expected.length === 0 ? [""] : expected);
});

test("a last line may end in a backslash, and lines in CRLF", () => {
  expect(splitArguments("--vus 20 \\\r\n--quiet \\")).toEqual(["--vus", "20", "--quiet"]);
});

test("nothing in the arguments is expanded or run", () => {
  expect(splitArguments("$(id) `id` $HOME * ~ ; && | > x")).toEqual([
    "$(id)",
    "`id`",
    "$HOME",
    "*",
    "~",
    ";",
    "&&",
    "|",
    ">",
    "x",
  ]);
});

test("an unclosed quote is reported", () => {
  expect(() => splitArguments(`--env "A=b`)).toThrow('The input `args` has a " that is not closed.');
});
