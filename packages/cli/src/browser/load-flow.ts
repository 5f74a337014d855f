import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";

import { bundleScript, type Bundle } from "@bearhug/plan/test-file/bundle";
import { SourceLines } from "@bearhug/plan/test-file/source-lines";
import { InvalidInput } from "@bearhug/sdk";
import type { Page } from "playwright-core";

import { describeRecordingFailure } from "./describe-failure.ts";

/** A script that makes a visit. */
export interface Flow {
  readonly drive: (page: Page) => Promise<void>;
  /** Removes the files that loading left on disk. */
  close(): void;
}

/**
 * Loads a script that makes a visit: a module whose default export takes the page. The script is bundled, to
 * support any syntax and TypeScript configuration; its packages are not, so that it shares Playwright with
 * the project.
 * @throws {InvalidInput} if it is not such a module
 */
export async function loadFlow(file: string): Promise<Flow> {
  const bundle = await bundleScript(file);
  try {
    const drive = await loadBundle(file, bundle);
    return {
      drive,
      close: () => bundle.remove(),
    };
  } catch (error) {
    bundle.remove();
    throw error;
  }
}

async function loadBundle(file: string, bundle: Bundle): Promise<Flow["drive"]> {
  // Stack traces contain the real path of a module; its source map is relative to the path it was written to.
  const path = realpathSync(bundle.path);
  const fail = (cause: unknown, word = ""): InvalidInput => {
    const { problem, details } = describeRecordingFailure(cause, {
      file,
      path,
      lines: new SourceLines(bundle.path),
      word,
    });
    return new InvalidInput([problem], { cause, details });
  };
  let loaded: unknown;
  try {
    loaded = await import(pathToFileURL(path).href);
  } catch (cause) {
    throw fail(cause, "cannot be loaded: ");
  }
  const flow = typeof loaded === "object" && loaded !== null && "default" in loaded ? loaded.default : null;
  if (!isFlow(flow)) {
    const example = "export default async (page: Page) => { … }";
    throw new InvalidInput([`--script ${file}: needs a function as its default export: ${example}`]);
  }
  return async (page) => {
    try {
      await flow(page);
    } catch (cause) {
      throw fail(cause);
    }
  };
}

function isFlow(value: unknown): value is (page: Page) => unknown {
  return typeof value === "function";
}
