import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, onTestFinished, test } from "vitest";

import { startDemo } from "../../src/demo/start-demo.ts";
import { expectBalanced } from "./expect-balanced.ts";
import { runForResult } from "./run-bearhug.ts";

const folder = fileURLToPath(new URL("../../../../examples/", import.meta.url));
const examples = readdirSync(folder).filter((name) => name.endsWith(".ts"));

test.for(examples)("examples/%s passes against the demo site", { timeout: 60_000 }, async (name) => {
  const demo = await startDemo({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => demo.close());
  const { exitCode, result, stdout } = await runForResult(["run", folder + name, "--target", demo.url]);
  expect(exitCode, stdout).toBe(0);
  expect(result.verdict).toBe("passed");
  expectBalanced(result);
});
