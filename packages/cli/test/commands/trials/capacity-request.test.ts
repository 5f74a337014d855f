import { describe, expect, test } from "vitest";

import { readCapacity, type CapacityFlags } from "../../../src/commands/trials/capacity-request.ts";
import { createCommand } from "../../../src/commands/trials/capacity.ts";

const slo = ["--slo", "http_req_duration: p(99)<200ms"];

function flagsOf(...line: readonly string[]): CapacityFlags {
  const command = createCommand();
  command.parseOptions([...slo, ...line]);
  return command.opts<CapacityFlags>();
}

function problemsOf(subject: string, ...line: readonly string[]): string[] {
  return problemsWith([subject], ...line);
}

function problemsWith(subjects: readonly string[], ...line: readonly string[]): string[] {
  const problems: string[] = [];
  readCapacity(subjects, flagsOf(...line), problems);
  return problems;
}

describe("options that a search would ignore are refused", () => {
  test("if they judge a run: a search has objectives", () => {
    expect(problemsOf("127.0.0.1", "--max-failed", "9%", "--expect-failures", "--allow-saturated")).toEqual(
      ["--max-failed", "--expect-failures"].map(
        (flag) => `${flag}: a search judges its objectives alone. Use --slo.`,
      ),
    );
  });

  test("for a URL", () => {
    expect(problemsOf("127.0.0.1", "--target", "http://127.0.0.1:1", "--warmup", "5s", "--latency")).toEqual([
      "--target: only for a test; give that URL instead.",
      "--warmup: a search warms up at every trial. Leave it out.",
      "--latency: a search shows the p99 of each trial. Leave it out.",
    ]);
    expect(problemsOf("127.0.0.1", "--out", "recording=run")).toEqual([
      "--out recording=run: only bearhug run, <url>, and ab-test support it.",
    ]);
  });

  test("for a test", () => {
    expect(problemsOf(import.meta.filename, "-H", "a: b")).toEqual([
      "-H: only for a URL. A test says itself what it sends.",
    ]);
    expect(problemsOf(import.meta.filename, "--target", "http://127.0.0.1:1")).toEqual([]);
  });

  test("if they are variants or a verdict on the generator", () => {
    expect(
      problemsOf("127.0.0.1", "--variant", "a=X: 1", "--variant", "b=X: 2", "--strict-generator"),
    ).toEqual([
      "--variant: only bearhug run and bearhug <url> compare variants.",
      "--strict-generator: a search never counts a trial with a saturated generator. Remove this option.",
    ]);
  });

  test("if they allow more virtual users than a run may have", () => {
    expect(problemsOf("127.0.0.1", "--search", "vus", "--max-rate", "2000000")).toEqual([
      "--max-rate 2000000: must be a whole number of virtual users, at most 1000000.",
    ]);
  });
});

test("requests are given as for bearhug <url>: several URLs, a body from a file, a user", () => {
  const line = ["-p", import.meta.filename, "-u", "me:secret", "--compressed"];
  expect(problemsOf("127.0.0.1", ...line)).toEqual([]);
  expect(problemsOf(import.meta.filename, ...line)).toEqual([
    "-p, -u, --compressed: only for a URL. A test says itself what it sends.",
  ]);
  expect(problemsWith([])).toEqual(["<url|test> is missing. See bearhug capacity --help."]);
  expect(problemsWith(["127.0.0.1", "127.0.0.1/b"])).toEqual([]);
  expect(problemsWith([import.meta.filename, "127.0.0.1/b"])).toEqual([
    '"127.0.0.1/b": unexpected argument. Give one test, or URLs only.',
  ]);
});
