import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";

import { expect } from "vitest";

import { readResult, runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { startServer } from "../end-to-end/test-server.ts";
import { writeCapture } from "./shop-capture.ts";

/** A server's response to each request. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Imports a capture and runs its test against a server. Expects the exit code that belongs to its checks, and
 * returns the names of those that failed. `given` are further options of the run.
 */
export async function failedChecksOf(
  recorded: readonly unknown[],
  handler: Handler,
  given: readonly string[] = [],
): Promise<string[]> {
  const folder = temporaryFolder();
  const file = join(folder, "imported.ts");
  const imported = await runBearhug(["import", writeCapture(folder, recorded), "-o", file]);
  expect(imported.exitCode, imported.stderr).toBe(0);
  const server = await startServer(handler);
  const out = join(folder, "result.json");
  const ended = await runBearhug(["run", file, "--target", server.url, ...given, "--out", `json=${out}`]);
  const failed = readResult(out, ended).checks.filter(({ fails }) => fails > 0);
  expect(ended.exitCode, ended.stdout).toBe(failed.length === 0 ? 0 : 99);
  return failed.map(({ name }) => name);
}
