import { expect } from "vitest";

import type { Started } from "./run-bearhug.ts";

/** Resolves with the address once the command has printed it to stderr. */
export async function readUrl({ child }: Started, pattern: RegExp): Promise<string> {
  let text = "";
  child.stderr.on("data", (chunk: string) => (text += chunk));
  const find = (): string | undefined => pattern.exec(text)?.[1];
  await expect.poll(find, { timeout: 20_000, interval: 20 }).toBeDefined();
  return find() ?? "";
}
