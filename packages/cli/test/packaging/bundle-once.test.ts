import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { hashOf } from "../../../../tools/bundle-once.mjs";

test("bundles are rebuilt after an input file was changed, renamed or added", () => {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-inputs-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const hash = () => hashOf(folder, ["package.json", "src"]);
  const write = (path: string, text: string) => {
    writeFileSync(join(folder, path), text);
  };
  mkdirSync(join(folder, "src/pacing"), { recursive: true });
  write("package.json", "{}");
  write("src/pacing/clock.ts", "export const now = 1;\n");
  const hashes = [hash()];
  expect(hash()).toBe(hashes[0]);
  write("not-an-input.ts", "");
  expect(hash()).toBe(hashes[0]);

  write("src/pacing/clock.ts", "export const now = 2;\n");
  hashes.push(hash());
  renameSync(join(folder, "src/pacing/clock.ts"), join(folder, "src/pacing/time.ts"));
  hashes.push(hash());
  write("src/pacing/other.ts", "");
  hashes.push(hash());
  write("package.json", "{ }");
  hashes.push(hash());
  expect(new Set(hashes).size).toBe(5);
});
