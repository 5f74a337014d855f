import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import type { Page } from "playwright-core";

import { InvalidInput } from "../invalid-input.ts";

/** Loads a script that makes a visit: a module whose default export takes the page. @throws {InvalidInput} if it is none */
export async function loadFlow(file: string): Promise<(page: Page) => Promise<void>> {
  let loaded: unknown;
  try {
    loaded = await import(pathToFileURL(resolve(file)).href);
  } catch (cause) {
    throw new InvalidInput([`--script ${file}: cannot be loaded: ${firstLine(cause)}`], { cause });
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
      throw new InvalidInput([`--script ${file}: ${firstLine(cause)}`], { cause });
    }
  };
}

function isFlow(value: unknown): value is (page: Page) => unknown {
  return typeof value === "function";
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1).join("");
}
