import { existsSync, statSync } from "node:fs";

import { identityOf } from "@bearhug/report/file-output/file-identity";
import { whyUnwritable } from "@bearhug/report/file-output/stage-file";

/** The files that a command reads or will write, even if they are given by different names. */
export class ClaimedPaths {
  /** By the file's identity: its role, as the end of a sentence. */
  readonly #claims = new Map<string, string>();

  constructor(capture: string | undefined) {
    if (capture !== undefined && existsSync(capture))
      this.#claims.set(identityOf(capture), "is the capture itself");
  }

  /** Claims a path. Returns null, or why it cannot be written, as the end of a sentence. */
  claim(path: string, what: string): string | null {
    if (path === "" || path.endsWith("/")) return "must be the name of a file";
    const identity = identityOf(path);
    const why = this.#claims.get(identity) ?? null;
    if (why === null) this.#claims.set(identity, `${what} is written there already`);
    return why;
  }
}

/** Returns the reason why a file cannot be written to its path; null if none is apparent yet. */
export function whyNotFree(path: string, force: boolean): string | null {
  if (!existsSync(path)) return whyUnwritable(path);
  const kind = statSync(path);
  if (kind.isDirectory()) return "is a folder";
  return kind.isFile() && !force ? "is there already; --force replaces it" : whyUnwritable(path);
}
