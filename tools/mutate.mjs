// pnpm mutate [path …]: mutation testing, folder by folder. A path is a folder of sources, a file, or a file with
// lines (`packages/plan/src/pacing/pacer.ts:10-30`); without one, every folder below is mutated. The tests that
// mirror the folder must detect the mutants. Mutants of earlier runs are tested again only if they or their
// tests have changed.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readJson, root } from "./workspace.mjs";

/**
 * The most critical folders, each with the tests that must detect its mutants.
 * @type {ReadonlyMap<string, readonly string[]>}
 */
const folders = new Map([
  ["packages/plan/src/pacing", ["packages/plan/test/pacing/**/*"]],
  ["packages/metrics/src/thresholds", ["packages/metrics/test/thresholds/**/*"]],
  ["packages/plan/src/executors", ["packages/plan/test/executors/**/*"]],
  ["packages/plan/src/definition", ["packages/plan/test/definition/**/*"]],
  [
    "packages/plan/src/http-options",
    ["packages/plan/test/http-options/**/*", "packages/plan/test/definition/**/*"],
  ],
  [
    "packages/plan/src/validation",
    ["packages/plan/test/validation/**/*", "packages/plan/test/definition/**/*"],
  ],
  ["packages/metrics/src", ["packages/metrics/test/*"]],
  ["packages/engine/src/run", ["packages/engine/test/run/**/*"]],
  ["packages/engine/src/outcome", ["packages/engine/test/outcome/**/*"]],
  // The other folders of http have their own tests.
  ["packages/http/src/exchange", ["packages/http/test/*", "packages/http/test/exchange/*"]],
  ["packages/text/src/secrets", ["packages/text/test/**/*", "packages/har-import/test/secrets/*"]],
  ["packages/sdk/src", ["packages/sdk/test/**/*"]],
]);

const paths = process.argv.slice(2).map((path) => path.replace(/^\.\//, "").replace(/\/$/, ""));
/** @type {Record<string, ReturnType<typeof count>>} */
const table = {};
for (const path of paths.length > 0 ? paths : folders.keys()) {
  const { folder, report } = mutate(path);
  table[folder] = count(report);
}
console.table(table);

/** @param {string} path */
function mutate(path) {
  const [source = ""] = path.split(":");
  if (!existsSync(source)) throw new Error(`${source} does not exist: name a folder or file of sources.`);
  const isFile = source.endsWith(".ts");
  const folder =
    [...folders.keys()].find((known) => source === known || source.startsWith(`${known}/`)) ??
    (isFile ? source.slice(0, source.lastIndexOf("/")) : source);
  const tests = folders.get(folder) ?? [mirrorOf(folder)];
  const cache = join("node_modules/.cache/mutation", folder.replace(/^packages\//, "").replaceAll("/", "-"));
  const others = [...folders.keys()].filter((other) => other !== folder && other.startsWith(`${path}/`));
  const mutated = isFile ? [path] : [`${path}/**/*.ts`, ...others.map((other) => `!${other}/**`)];
  const { status } = spawnSync("stryker", ["run", "tools/stryker.config.js", "--mutate", mutated.join(",")], {
    cwd: root,
    stdio: "inherit",
    // Read by tools/stryker.config.js and tools/vitest/mutation.config.ts.
    env: { ...process.env, MUTATION_TESTS: tests.join(","), MUTATION_CACHE: cache },
  });
  if (status !== 0) process.exit(status ?? 1);
  const report = /** @type {MutationReport} */ (readJson(join(root, cache, "report.json")));
  return { folder, report };
}

/** @param {string} folder */
function mirrorOf(folder) {
  const tests = folder.replace("/src", "/test");
  if (!existsSync(tests)) throw new Error(`${tests} does not exist: ${folder} has no tests of its own.`);
  return `${tests}/**/*`;
}

/** @typedef {{ files: Record<string, { mutants: { status: string }[] }> }} MutationReport */

/** @param {MutationReport} report */
function count({ files }) {
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  /** @param {string} wanted */
  const countOf = (wanted) => statuses.filter((status) => status === wanted).length;
  const [killed, timedOut] = [countOf("Killed"), countOf("Timeout")];
  const [survived, notReached] = [countOf("Survived"), countOf("NoCoverage")];
  const mutants = killed + timedOut + survived + notReached;
  const score = `${((100 * (killed + timedOut)) / Math.max(1, mutants)).toFixed(1)} %`;
  return { mutants, killed, "timed out": timedOut, survived, "not reached": notReached, score };
}
