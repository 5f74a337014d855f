import { join } from "node:path";

import type { Ended } from "../kept-process/command-line.ts";
import { runBearhug, startBearhug, temporaryFolder, writeTest } from "../end-to-end/run-bearhug.ts";
import { freePort } from "../free-port.ts";
import { startForTest, type Met } from "./matrix.ts";
import { healthyKinds, type TargetKind, type TargetOptions } from "./broken-target.ts";

/** The ways in which several machines share a run. */
export const sharedWays = ["agents", "merged recordings", "merged results"] as const;
export type SharedWay = (typeof sharedWays)[number];

export const sharedLoads = ["closed", "open", "closed with thresholds"] as const;
export type SharedLoad = (typeof sharedLoads)[number];

const machines = 2;
/** Options that keep a busy test machine from failing runs: these tests are about the target. */
const lenient = ["--workers", "1", "--allow-saturated"];
const token = "a-token-for-tests-alone";

function testOf(baseUrl: string, load: SharedLoad, seconds: number): string {
  const model =
    load === "open"
      ? `executor: "constant-arrival-rate", rate: 20, maxVUs: 100`
      : `executor: "constant-vus", vus: 4`;
  const thresholds =
    load === "closed with thresholds"
      ? `thresholds: { http_req_failed: ["rate<20%"], http_req_duration: ["p(95)<30s"] },`
      : "";
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({ name: "home", baseUrl: "${baseUrl}", ${thresholds} scenarios: { visits: {
  ${model}, duration: "${seconds}s", gracefulStop: "500ms", exec: ({ http }) => http.get("/"),
} } });`);
}

/** Applies one load from two machines to each kind of target, all at the same time. */
export function meetShared(
  way: SharedWay,
  load: SharedLoad,
  kinds: readonly TargetKind[],
  { seconds, ...options }: TargetOptions & { readonly seconds: number },
): Promise<Met[]> {
  return Promise.all(
    kinds.map(async (kind) => {
      const target = await startForTest(kind, options);
      const file = testOf(target.url, load, seconds);
      const ended = await (way === "agents" ? coordinate(file) : runAndMerge(file, way));
      const [firstLine = ""] = ended.stdout.split("\n");
      return { ...ended, kind, isHealthy: healthyKinds.has(kind), firstLine };
    }),
  );
}

async function coordinate(file: string): Promise<Ended> {
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const line = ["coordinate", file, "--agents", String(machines), "--listen", address, ...lenient];
  const environment = { BEARHUG_TOKEN: token };
  const coordinator = startBearhug(line, temporaryFolder(), environment);
  const agents = Array.from({ length: machines }, () =>
    runBearhug(["agent", "--join", `ws://${address}`], temporaryFolder(), environment),
  );
  await Promise.all(agents);
  return coordinator;
}

async function runAndMerge(file: string, way: "merged recordings" | "merged results"): Promise<Ended> {
  const folder = temporaryFolder();
  const [kind, ending] = way === "merged recordings" ? ["recording", "bearhug"] : ["json", "json"];
  const paths = await Promise.all(
    Array.from({ length: machines }, async (_, index) => {
      const path = join(folder, `part-${index + 1}.${ending}`);
      const shard = ["--shard", `${index + 1}/${machines}`, ...lenient];
      await runBearhug(["run", file, ...shard, "--out", `${kind}=${path}`]);
      return path;
    }),
  );
  return runBearhug(["merge", ...paths]);
}
