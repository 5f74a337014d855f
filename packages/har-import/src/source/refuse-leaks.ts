import { findLeaks } from "../secrets/find-leaks.ts";
import type { TestFile } from "./data-file.ts";
import { SecretLeakError } from "./secret-leak-error.ts";

/** The last look before anything is handed out. @throws SecretLeakError where something secret was written. */
export function refuseLeaks(files: readonly TestFile[], redacted: readonly string[]): void {
  const texts = files.map(({ text }) => text);
  for (const { textIndex, start } of findLeaks(texts, redacted)) {
    const line = (texts[textIndex] ?? "").slice(0, start).split("\n").length;
    throw new SecretLeakError(files[textIndex]?.name ?? "", line);
  }
}
