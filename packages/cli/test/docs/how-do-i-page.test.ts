import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import * as bench from "../../src/commands/bench/bench.ts";
import * as run from "../../src/commands/run/run.ts";
import { validateCommandLine } from "../../src/commands/command-line/validate-command-line.ts";
import { startDemo } from "../../src/demo/start-demo.ts";
import { runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";

const page = readFileSync(new URL("../../../../docs/how-do-i.md", import.meta.url), "utf8");

/** The tests that readers may copy as they are. */
const tests = [...page.matchAll(/^```ts\n(import .*?)^```/gms)].map(([, source = ""]) => source);

test(
  "each whole test of docs/how-do-i.md does against the demo what it says",
  { timeout: 120_000 },
  async () => {
    const demo = await startDemo({ port: 0, host: "127.0.0.1" });
    onTestFinished(() => demo.close());
    const folder = temporaryFolder();
    expect(tests).toHaveLength(5);
    for (const [index, source] of tests.entries()) {
      const file = join(folder, `${index}.load.ts`);
      writeFileSync(file, source);
      const { exitCode, stdout, stderr } = await runBearhug(["try", file, "--target", demo.url], folder);
      expect({ exitCode, stdout, stderr }, source).toMatchObject({
        exitCode: 0,
        stdout: expect.stringMatching(/[1-9]\d* requests? \(0 failed\), \d+ checks? \(0 failed\)/) as string,
      });
    }
  },
);

test("each line for a shell in docs/how-do-i.md has options that its command takes", () => {
  const lines = [...page.matchAll(/^(?:\w+=\S+ )?npx bearhug (.*)$/gm)].map(([, line = ""]) =>
    [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ""),
  );
  const folder = temporaryFolder();
  const test = join(folder, "shop.load.ts");
  const baseline = join(folder, "base.json");
  for (const file of [test, baseline]) writeFileSync(file, "");
  const given = lines.map((words) =>
    words.map((word) => word.replace("load/shop.load.ts", test).replace("base.json", baseline)),
  );
  const benches = given.filter(([first = ""]) => first.startsWith("http"));
  const runs = given.filter(([first]) => first === "run").map((words) => words.slice(1));
  expect({ benches: benches.length, runs: runs.length }).toEqual({ benches: 3, runs: 6 });
  for (const words of benches) validateCommandLine(bench.createCommand(), words, bench.findProblems, {});
  for (const words of runs) validateCommandLine(run.createCommand(), words, run.findProblems, {});
});
