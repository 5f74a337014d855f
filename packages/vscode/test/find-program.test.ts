import { join } from "node:path";
import { expect, test } from "vitest";

import { findProgram } from "../src/find-program.ts";

const installed = "node_modules/bearhug/bin/bearhug.js";
const files = [`/shop/${installed}`, `/shop/packages/web/${installed}`, "/tools/bearhug.js"].map((path) =>
  join(path),
);
const exists = (path: string): boolean => files.includes(path);
const settings = { program: "", node: "node" };

test("the bearhug that is installed nearest to the test is used, in its folder", () => {
  const find = (file: string) => findProgram(file, "/shop", settings, exists);
  expect(find("/shop/load/home.load.ts")).toEqual({ node: "node", program: files[0], folder: "/shop" });
  expect(find("/shop/packages/web/load/home.load.ts")).toEqual({
    node: "node",
    program: files[1],
    folder: "/shop/packages/web",
  });
  expect(find("/elsewhere/home.load.ts")).toBeNull();
});

test("the program in the settings is used, in the workspace folder", () => {
  const find = (program: string) =>
    findProgram("/shop/load/home.load.ts", "/shop", { program, node: "/opt/node" }, exists);
  const launch = { node: "/opt/node", program: files[2], folder: "/shop" };
  expect(find("/tools/bearhug.js")).toEqual(launch);
  expect(find("../tools/bearhug.js")).toEqual(launch);
  expect(find("/missing/bearhug.js")).toBeNull();
});
