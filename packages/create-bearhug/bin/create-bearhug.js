#!/usr/bin/env node
// `npm create bearhug URL --yes` runs this with the rest of the line: it is `bearhug init URL --yes`.
import { createRequire } from "node:module";
import { join, dirname } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

const manifest = createRequire(import.meta.url).resolve("bearhug/package.json");
process.argv.splice(2, 0, "init");
await import(pathToFileURL(join(dirname(manifest), "bin/bearhug.js")).href);
