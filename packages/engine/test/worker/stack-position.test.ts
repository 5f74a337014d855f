import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

import { createMask } from "@bearhug/text/secret-mask";
import { describe, expect, onTestFinished, test } from "vitest";

import { describeThrown, serializeThrown } from "../../src/worker/stack-position.ts";

/** Loads a module from a folder of this name, as a worker does; it throws an error at line 3. */
async function throwFrom(folderName: string): Promise<{ readonly path: string; readonly error: unknown }> {
  const root = mkdtempSync(join(tmpdir(), folderName));
  onTestFinished(() => {
    rmSync(root, { recursive: true, force: true });
  });
  const path = join(root, "your test.mjs");
  writeFileSync(path, "// one\n// two\nthrow new RangeError('too far');\n");
  const worker = new Worker(new URL("fixtures/import-module.ts", import.meta.url), {
    workerData: pathToFileURL(path).href,
  });
  const [error] = (await once(worker, "message")) as [unknown];
  await worker.terminate();
  return { path, error };
}

const mask = createMask([]);

describe("a value that a test threw", () => {
  test.each(["bearhug-", "bearhug with blanks-", "bärenhöhle-", "100%-#1-"])(
    "in a folder such as %s is found at its line",
    async (folder) => {
      const { path, error } = await throwFrom(folder);
      expect(serializeThrown(error, path, mask)).toEqual({
        message: "RangeError: too far",
        position: { line: 3, column: 7 },
      });
    },
  );

  test("has no position without a bundle, in another file, or without a stack", async () => {
    const { path, error } = await throwFrom("bearhug-");
    expect(describeThrown(error, null).position).toBeNull();
    expect(describeThrown(error, `${path}.other`).position).toBeNull();
    const bare = new Error("bare");
    delete bare.stack;
    expect(describeThrown(bare, path).position).toBeNull();
  });

  test.each([
    { thrown: null, message: "a value that is not an Error was thrown: null" },
    { thrown: undefined, message: "a value that is not an Error was thrown: undefined" },
    { thrown: "text", message: "a value that is not an Error was thrown: text" },
    { thrown: Symbol("s"), message: "a value that is not an Error was thrown: Symbol(s)" },
    { thrown: Object.create(null) as object, message: "a value that cannot be shown was thrown" },
    { thrown: new TypeError(), message: "TypeError" },
    { thrown: Object.freeze(new Error("frozen")), message: "Error: frozen" },
  ])("is described: $message", ({ thrown, message }) => {
    expect(serializeThrown(thrown, "/nowhere.mjs", mask)).toEqual({ message, position: null });
  });

  test("is described even if reading it throws", () => {
    const hostile = new Error("never read");
    const fail = (): never => {
      throw new Error("gotcha");
    };
    for (const property of ["message", "stack", "name"]) {
      const error = Object.defineProperty(new Error("x"), property, { get: fail });
      expect(describeThrown(error, "/nowhere.mjs").position).toBeNull();
    }
    Object.defineProperty(hostile, "message", { value: Symbol("no text") });
    expect(serializeThrown(hostile, "/nowhere.mjs", mask).message).toContain(
      "a value that cannot be shown was thrown",
    );
    const { proxy, revoke } = Proxy.revocable(new Error("gone"), {});
    revoke();
    expect(serializeThrown(proxy, "/nowhere.mjs", mask).message).toContain(
      "a value that cannot be shown was thrown",
    );
  });

  test("is found within a huge stack", async () => {
    const { path } = await throwFrom("bearhug-");
    const error = new Error("deep");
    error.stack = `Error: deep\n${"    at other (file:///other.mjs:1:1)\n".repeat(20)}    at exec (${pathToFileURL(path).href}:7:9)\n${"x".repeat(1e6)}`;
    expect(describeThrown(error, path).position).toEqual({ line: 7, column: 9 });
  });
});
