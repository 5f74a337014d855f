import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

const folder = process.env["BEARHUG_CAPTURES"] ?? "";
const names =
  folder !== "" && existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".har")) : [];

/** Returns the path of a capture in the folder. */
export function captureAt(name: string): string {
  return join(folder, name);
}

/**
 * Describes tests of the captures in the folder BEARHUG_CAPTURES. They are skipped without the variable, and
 * fail if the folder has no captures.
 */
export function describeCaptures(what: string, define: (names: readonly string[]) => void): void {
  describe.skipIf(folder === "")(`${what} of the folder BEARHUG_CAPTURES`, () => {
    test("the folder is there and has captures", () => {
      expect(names, folder).not.toEqual([]);
    });
    define(names);
  });
}
