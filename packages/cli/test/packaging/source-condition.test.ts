import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import * as sdk from "@bearhug/sdk";
import { expect, test } from "vitest";
import { root } from "../../../../tools/workspace.mjs";
import * as sdkSource from "../../../sdk/src/index.ts";
import { runOrThrow } from "./run-process.ts";

const sourceUrl = pathToFileURL(join(root, "packages/sdk/src/index.ts")).href;
const tellWhereSdkIs = new URL("./fixtures/tell-where-sdk-is.ts", import.meta.url);

test("a test imports the SDK's source, never a build of it", () => {
  expect(sdk).toBe(sdkSource);
});

test("a worker thread that a test starts imports the SDK's source, too", async () => {
  const worker = new Worker(tellWhereSdkIs);
  expect(await once(worker, "message")).toEqual([sourceUrl]);
});

test("a process started with --conditions=bearhug-source imports the SDK's source, too", async () => {
  const node = ["--conditions=bearhug-source", fileURLToPath(tellWhereSdkIs)];
  const { stdout } = await runOrThrow(process.execPath, node, root);
  expect(stdout).toBe(`${sourceUrl}\n`);
});
