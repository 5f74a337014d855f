import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

import { onTestFinished } from "vitest";

import { loadDefinition } from "../../src/test-file/load-definition.ts";
import type { DefinitionSource } from "../../src/protocol/definition-source.ts";
import { bundleTest, type Bundle } from "../../src/test-file/bundle.ts";

/** Creates a folder with these files, which is removed when the test ends. */
export function folderWith(files: Readonly<Record<string, string>>, name = "bearhug-bundle-"): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

export async function bundled(file: string): Promise<Bundle> {
  const bundle = await bundleTest(file);
  onTestFinished(() => {
    bundle.remove();
  });
  return bundle;
}

/** Returns the default export of a file that is bundled like a test. */
export async function exportedBy(file: string): Promise<unknown> {
  const { path } = await bundled(file);
  return loadDefinition(sourceAt(path));
}

/** Returns the error that a module throws when a thread imports it. */
export async function thrownBy(path: string): Promise<unknown> {
  const worker = new Worker(
    new URL("../../../engine/test/worker/fixtures/import-module.ts", import.meta.url),
    {
      workerData: pathToFileURL(path).href,
    },
  );
  const [error] = (await once(worker, "message")) as [unknown];
  await worker.terminate();
  return error;
}

export function sourceAt(bundlePath: string): DefinitionSource {
  return { kind: "module", bundlePath, folder: "", mayFetch: false, mayHaveStages: false };
}
