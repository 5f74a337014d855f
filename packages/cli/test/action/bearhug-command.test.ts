import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { findBearhug } from "../../../../action/bearhug-command.ts";
import { temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { checkOut } from "./run-action.ts";

test("bearhug is the one that the project has installed, in the folder or above it", () => {
  const workspace = checkOut({});
  const inner = join(workspace, "packages/shop");
  mkdirSync(inner, { recursive: true });
  const installed = join(workspace, "node_modules/.bin/bearhug");
  expect([findBearhug("", workspace), findBearhug("", inner)]).toEqual([[installed], [installed]]);
});

test("bearhug comes from npm if there is none, or if a version is asked for", () => {
  const npx = (version: string) => ["npx", "--yes", `--package=bearhug@${version}`, "--", "bearhug"];
  expect(findBearhug("", temporaryFolder())).toEqual(npx("latest"));
  expect(findBearhug("1.2.3", checkOut({}))).toEqual(npx("1.2.3"));
});
