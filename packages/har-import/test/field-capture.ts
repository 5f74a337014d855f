import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { importCapture, type ImportedCapture, type ImportOptions, writeTest } from "../src/index.ts";

/** Returns the bytes of a small capture, reduced from one recorded in a real application. Its values are invented. */
export function fieldBytes(name: string): Uint8Array {
  return readFileSync(fileURLToPath(new URL(`fixtures/field/${name}.har`, import.meta.url)));
}

export async function importField(name: string, options: ImportOptions = {}): Promise<ImportedCapture> {
  const bytes = fieldBytes(name);
  return await importCapture(() => [bytes], options);
}

/** Returns the source of the test written from such a capture. */
export async function sourceOfField(name: string): Promise<string> {
  const { source } = await writeTest(await importField(name));
  return source;
}
