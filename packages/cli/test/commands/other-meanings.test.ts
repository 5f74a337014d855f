import { expect, test } from "vitest";

import { createCommand } from "../../src/commands/bench/bench.ts";
import { findProblems } from "../../src/commands/reading.ts";

test.each([
  [["-T", "application/json"], 'use -H "content-type: …".'],
  [["-t", "20s"], "use -T 20s."],
  [["-p", "10"], 'write a test with transport: "undici".'],
  [["-X", "proxy:8080"], "use -x http://host:port."],
])("%j in another tool's meaning is refused with bearhug's equivalent", (line, advice) => {
  const command = createCommand();
  command.parseOptions(line);
  const problems = findProblems(["http://127.0.0.1:9/"], command);
  expect(problems).toEqual([expect.stringContaining(advice)]);
});

test.each([
  ["-T", "soon"],
  ["-t", "many"],
  ["-p", "no.json"],
])("%s %s is invalid in any tool, and gets no advice about other tools", (...line) => {
  const command = createCommand();
  command.parseOptions(line);
  expect(findProblems(["http://127.0.0.1:9/"], command).join("\n")).not.toMatch(/, as with -/);
});
