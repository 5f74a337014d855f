import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { findBearhug } from "../../../../action/bearhug-command.ts";
import { temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { checkOut } from "./run-action.ts";

test("the bearhug that the project has installed is used, in the folder or above it", () => {
  const workspace = checkOut({});
  const inner = join(workspace, "packages/shop");
  mkdirSync(inner, { recursive: true });
  const installed = join(workspace, "node_modules/.bin/bearhug");
  expect([findBearhug("", workspace), findBearhug("", inner)]).toEqual([[installed], [installed]]);
});

test("bearhug comes from npm if none is installed, or if a version is given", () => {
  const npx = (version: string) => ["npx", "--yes", `--package=bearhug@${version}`, "--", "bearhug"];
  expect(findBearhug("", temporaryFolder())).toEqual(npx("latest"));
  expect(findBearhug("1.2.3", checkOut({}))).toEqual(npx("1.2.3"));
});
