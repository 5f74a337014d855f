import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";

import { BearhugError, InvalidInput } from "@bearhug/sdk";
import { isTest } from "@bearhug/sdk/internal";

import type { DefinitionSource } from "../protocol/definition-source.ts";
import { offerLateBundles } from "./bundle-loaders.ts";
import { k6Problem } from "./k6-script.ts";
import { urlTest } from "./url-test.ts";

/**
 * Returns the test of a source. It runs a module's code, so call this in workers only. Rejects with any error
 * that the module throws.
 */
export async function loadDefinition(source: DefinitionSource): Promise<unknown> {
  switch (source.kind) {
    case "module":
      return defaultExport(await importModule(source.bundlePath));
    case "url":
      return urlTest(source.requests);
    case "object":
      return source.test;
  }
}

async function importModule(path: string): Promise<object> {
  offerLateBundles(async (file) => {
    // Large, and needed by few tests.
    const { bundleLate } = await import("./bundle.ts");
    return bundleLate(file, dirname(path));
  });
  const loading = import(pathToFileURL(path).href) as Promise<object>;
  let noteIdle: () => void = () => undefined;
  const stuck = new Promise<never>((_, reject) => {
    noteIdle = () => reject(new NeverLoaded());
  });
  // Emitted when a thread has nothing left to do. It then ends, and what it awaits can never settle.
  process.once("beforeExit", noteIdle);
  try {
    return await Promise.race([loading, stuck]);
  } finally {
    process.off("beforeExit", noteIdle);
  }
}

/** Nothing is left that could settle what a test's module awaits. */
class NeverLoaded extends BearhugError {
  /** Empty, so that messages do not begin with it: it would mean nothing to the test's author. */
  override readonly name = "";
  readonly code = "NEVER_LOADED";
  constructor() {
    super("it never finished loading, because a top-level await in it did not settle");
  }
}

/** @throws {InvalidInput} if the module does not export a test */
function defaultExport(module: object): unknown {
  const exported = new Map<string, unknown>(Object.entries(commonJsExports(module) ?? module));
  const test = exported.get("default");
  if (typeof test === "function") {
    const isOfK6 = exported.has("options") || exported.has("setup") || exported.has("handleSummary");
    throw new InvalidInput([
      isOfK6 ? k6Problem : `The default export is a function. Export a test instead: ${example}.`,
    ]);
  }
  if (exported.has("default")) return test;
  const [name] = [...exported].find(([, value]) => isTest(value)) ?? [];
  throw new InvalidInput([
    name === undefined
      ? `The file has no default export. Export a test: ${example}.`
      : `The file exports its test as ${name}. Make it the default export: export default ${name}.`,
  ]);
}

/** Returns the exports of a CommonJS module with a default export, as compilers write it; null for others. */
function commonJsExports(module: object): object | null {
  const exported: unknown = "default" in module ? module.default : null;
  const isModule = typeof exported === "object" && exported !== null && !isTest(exported);
  return isModule && "default" in exported ? exported : null;
}

const example = "export default defineTest({ scenarios: { … } })";

/** Returns the folder to which a test's paths are relative. */
export function folderOf(source: DefinitionSource): string {
  return source.kind === "url" ? process.cwd() : source.folder;
}

/**
 * Returns the path of the bundle as stacks name it; null if there is none. Node names
 * modules by their real path.
 */
export function bundlePathOf(source: DefinitionSource): string | null {
  if (source.kind !== "module") return null;
  try {
    return realpathSync(source.bundlePath);
  } catch {
    // The only effect is that lines of stacks are not found: a missing bundle has an
    // error message of its own.
    return source.bundlePath;
  }
}
