import { expect, test } from "vitest";

import { runBearhug } from "./run-bearhug.ts";

test("doctor tells what there is in 80 columns, asks nothing, and exits with 0", async () => {
  const { exitCode, stdout, stderr } = await runBearhug(["doctor"], undefined, { LC_ALL: "C.UTF-8" });
  expect(exitCode, stderr).toBe(0);
  expect(stderr).toBe("");
  for (const topic of ["cores", "memory", "descriptors", "local ports", "network", "timers"]) {
    expect(stdout).toMatch(new RegExp(`^ {2}[✓!?] +${topic} +\\S`, "m"));
  }
  expect(stdout).toContain(`Node ${process.versions.node}`);
  expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
});

test("doctor stands in the help, and takes no options but that", async () => {
  const help = await runBearhug(["--help"]);
  expect(help.stdout).toContain("doctor");
  const refused = await runBearhug(["doctor", "--fast"]);
  expect(refused.exitCode).toBe(104);
});
