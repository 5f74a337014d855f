// pnpm mutate [path …]: mutation testing, room by room. A path is a folder of sources, a file, or a file with lines
// (`packages/cli/src/pacing/pacer.ts:10-30`); without one every room below is mutated. The tests that must notice are those that
// mirror the room. Mutants of earlier runs are tested again only where they, or their tests, have changed.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readJson, root } from "./workspace.mjs";

/** Rooms that decide what a run means, each with the folder of its tests. */
const rooms = new Map([
  ...["pacing", "thresholds", "executors", "metrics", "coordinator"].map(
    (room) => /** @type {const} */ ([`packages/cli/src/${room}`, `packages/cli/test/${room}`]),
  ),
  ["packages/cli/src/http/exchange", "packages/cli/test/http"],
  ["packages/sdk/src", "packages/sdk/test"],
]);

const paths = process.argv.slice(2).map((path) => path.replace(/^\.\//, "").replace(/\/$/, ""));
/** @type {Record<string, ReturnType<typeof count>>} */
const table = {};
for (const path of paths.length > 0 ? paths : rooms.keys()) {
  const { room, report } = mutate(path);
  table[room] = count(report);
}
console.table(table);

/** @param {string} path */
function mutate(path) {
  const [source = ""] = path.split(":");
  if (!existsSync(source)) throw new Error(`${source} does not exist: name a folder or file of sources.`);
  const isFile = source.endsWith(".ts");
  const room =
    [...rooms.keys()].find((known) => source === known || source.startsWith(`${known}/`)) ??
    (isFile ? source.slice(0, source.lastIndexOf("/")) : source);
  const tests = rooms.get(room) ?? room.replace("/src", "/test");
  if (!existsSync(tests)) throw new Error(`${tests} does not exist: ${room} has no tests of its own.`);
  const cache = join("node_modules/.cache/mutation", room.replace(/^packages\//, "").replaceAll("/", "-"));
  const { status } = spawnSync("stryker", ["run", "--mutate", isFile ? path : `${path}/**/*.ts`], {
    cwd: root,
    stdio: "inherit",
    // Read by stryker.config.js.
    env: { ...process.env, MUTATION_TESTS: tests, MUTATION_CACHE: cache },
  });
  if (status !== 0) process.exit(status ?? 1);
  const report = /** @type {MutationReport} */ (readJson(join(root, cache, "report.json")));
  return { room, report };
}

/** @typedef {{ files: Record<string, { mutants: { status: string }[] }> }} MutationReport */

/** @param {MutationReport} report */
function count({ files }) {
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  /** @param {string} wanted */
  const of = (wanted) => statuses.filter((status) => status === wanted).length;
  const [killed, timedOut] = [of("Killed"), of("Timeout")];
  const [survived, notReached] = [of("Survived"), of("NoCoverage")];
  const mutants = killed + timedOut + survived + notReached;
  const score = `${((100 * (killed + timedOut)) / Math.max(1, mutants)).toFixed(1)} %`;
  return { mutants, killed, "timed out": timedOut, survived, "not reached": notReached, score };
}
