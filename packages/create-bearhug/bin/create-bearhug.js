#!/usr/bin/env node
// `npm create bearhug URL --yes` runs this program with the remaining arguments, as `bearhug init URL --yes`
// would.
import { createRequire } from "node:module";
import { join, dirname } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

const manifest = createRequire(import.meta.url).resolve("bearhug/package.json");
process.argv.splice(2, 0, "init");
await import(pathToFileURL(join(dirname(manifest), "bin/bearhug.js")).href);
