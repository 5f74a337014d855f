import { pathToFileURL } from "node:url";

import type { DefinitionSource } from "../protocol/definition-source.ts";
import { urlTest } from "./url-test.ts";

/** The test that a source stands for. A module's code runs here, so call this in workers only. Rejects with what the module throws. */
export async function loadDefinition(source: DefinitionSource): Promise<unknown> {
  switch (source.kind) {
    case "module":
      return defaultExport(await import(pathToFileURL(source.bundlePath).href));
    case "url":
      return urlTest(source.request);
  }
}

function defaultExport(module: unknown): unknown {
  return typeof module === "object" && module !== null && "default" in module ? module.default : undefined;
}

/** The bundle whose lines stacks name, when there is one. */
export function bundlePathOf(source: DefinitionSource): string | null {
  return source.kind === "module" ? source.bundlePath : null;
}
