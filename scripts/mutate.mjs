// pnpm mutate [path …]: mutation testing, room by room. A path is a folder of sources, a file, or a file with lines
// (`packages/cli/src/pacing/pacer.ts:10-30`); without one every room below is mutated. The tests that must notice are those that
// mirror the room. Mutants of earlier runs are tested again only where they, or their tests, have changed.
import { existsSync } from "node:fs";
import { Stryker } from "@stryker-mutator/core";

/** Rooms that decide what a run means, each with the folder of its tests. */
const rooms = new Map([
  ...["pacing", "thresholds", "executors", "metrics", "coordinator"].map(
    (room) => /** @type {const} */ ([`packages/cli/src/${room}`, `packages/cli/test/${room}`]),
  ),
  ["packages/cli/src/http/exchange", "packages/cli/test/http"],
  ["packages/sdk/src", "packages/sdk/test"],
]);

const paths = process.argv.slice(2).map((path) => path.replace(/^\.\//, "").replace(/\/$/, ""));
/** @type {Record<string, Record<string, number | string>>} */
const table = {};
for (const path of paths.length > 0 ? paths : rooms.keys()) {
  table[path] = count(await mutate(path));
}
console.table(table);

/** @param {string} path */
async function mutate(path) {
  const [source = ""] = path.split(":");
  if (!existsSync(source)) throw new Error(`${source} does not exist: name a folder or file of sources.`);
  const isFile = source.endsWith(".ts");
  const room =
    [...rooms.keys()].find((known) => source === known || source.startsWith(`${known}/`)) ??
    (isFile ? source.slice(0, source.lastIndexOf("/")) : source);
  const tests = rooms.get(room) ?? room.replace("/src", "/test");
  if (!existsSync(tests)) throw new Error(`${tests} does not exist: ${room} has no tests of its own.`);
  const cache = `node_modules/.cache/mutation/${room.replace(/^packages\//, "").replaceAll("/", "-")}`;
  return await new Stryker({
    mutate: [isFile ? path : `${path}/**/*.ts`],
    vitest: { configFile: "vitest.mutation.config.ts", dir: tests, related: false, pool: "threads" },
    incrementalFile: `${cache}/results.json`,
    htmlReporter: { fileName: `${cache}/report.html` },
    jsonReporter: { fileName: `${cache}/report.json` },
  }).runMutationTest();
}

/** @param {Awaited<ReturnType<typeof mutate>>} mutants */
function count(mutants) {
  /** @param {string[]} statuses */
  const of = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const [killed, timedOut] = [of("Killed"), of("Timeout")];
  const [survived, notCovered] = [of("Survived"), of("NoCoverage")];
  const valid = killed + timedOut + survived + notCovered;
  const score = `${((100 * (killed + timedOut)) / Math.max(1, valid)).toFixed(1)} %`;
  return { mutants: valid, killed, "timed out": timedOut, survived, "not reached": notCovered, score };
}
