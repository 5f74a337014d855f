import { describe, expect, test } from "vitest";

import { readCapacity, type CapacityFlags } from "../../src/commands/capacity-request.ts";
import { createCommand } from "../../src/commands/capacity.ts";

const slo = ["--slo", "http_req_duration: p(99)<200ms"];

function problemsOf(subject: string, ...line: readonly string[]): string[] {
  const command = createCommand();
  command.parseOptions([...slo, ...line]);
  return readCapacity(subject, command.opts<CapacityFlags>()).problems;
}

describe("options that a search would ignore are refused", () => {
  test("for a URL", () => {
    expect(problemsOf("127.0.0.1", "--target", "http://127.0.0.1:1", "--warmup", "5s", "--latency")).toEqual([
      "--target: only for a test; give that URL instead.",
      "--warmup: a search warms up at every trial. Leave it out.",
      "--latency: a search shows the p99 of each trial. Leave it out.",
    ]);
    expect(problemsOf("127.0.0.1", "--out", "recording=run")).toEqual([
      "--out recording=run: only bearhug run and bearhug <url> can write it.",
    ]);
  });

  test("for a test", () => {
    expect(problemsOf(import.meta.filename, "-H", "a: b")).toEqual([
      "-H: only for a URL. A test says itself what it sends.",
    ]);
    expect(problemsOf(import.meta.filename, "--target", "http://127.0.0.1:1")).toEqual([]);
  });

  test("and more virtual users than a run may have", () => {
    expect(problemsOf("127.0.0.1", "--search", "vus", "--max-rate", "2000000")).toEqual([
      "--max-rate 2000000: must be a whole number of virtual users, at most 1000000.",
    ]);
  });
});
