import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { testFileProblem } from "../../src/commands/test-file-problem.ts";
import { temporaryFolder } from "../end-to-end/run-bearhug.ts";

test.each(["shop.ts", "shop.js", "shop.mjs", "shop.mts", "shop.har", "shop.har.gz", "load/Shop.TS"])(
  "%s that is a file belongs to run",
  (name) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "load"));
    const path = join(folder, name);
    writeFileSync(path, "");
    expect(testFileProblem(path)).toBe(
      `"${path}" is a file, not an address. Did you mean "bearhug run ${path}"?`,
    );
  },
);

test.each(["shop.ts", "./shop.ts", "/nowhere/shop.har", "~/shop.js", "..\\shop.mts"])(
  "%s that is no file is said to be missing",
  (path) => {
    expect(testFileProblem(path)).toContain(`There is no file ${path}. If it is an address, write http://`);
  },
);

test.each(["http://shop.ts", "127.0.0.1/app.js", "localhost:8080/app.js", "shop.example", "localhost"])(
  "%s is an address",
  (address) => {
    expect(testFileProblem(address)).toBeNull();
  },
);
