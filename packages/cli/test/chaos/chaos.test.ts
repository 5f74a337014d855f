import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { command } from "../command.ts";
import { expectBalanced, sum } from "../end-to-end/expect-balanced.ts";
import { readResult } from "../end-to-end/run-bearhug.ts";
import { hasOpenssl, makeCertificate } from "../../../http/test/make-certificate.ts";
import { planChaos } from "./chaos-plan.ts";
import type { ChaosInput, ChaosSeen } from "./chaos-run.ts";

const chaosRun = fileURLToPath(new URL("chaos-run.ts", import.meta.url));

/** The number of seeds to run. BEARHUG_CHAOS_RUNS changes it, BEARHUG_CHAOS_SEED the first seed. */
const runs = Number(process.env["BEARHUG_CHAOS_RUNS"] ?? 8);
const firstSeed = Number(process.env["BEARHUG_CHAOS_SEED"] ?? 1);
const seeds = Array.from({ length: runs }, (_, index) => firstSeed + index);

/** True if a run can have its own network, to drop packets in it: on Linux, with the right to create one. */
const canCut =
  process.platform === "linux" &&
  spawnSync("unshare", ["-Urn", "sh", "-c", "ip link set lo up && iptables --list"]).status === 0;

const inOwnNetwork = ["-Urn", "sh", "-c", 'ip link set lo up && exec "$0" "$@"'];

if (!hasOpenssl) test.skip("chaotic runs need openssl", () => {});
else {
  const certificate = makeCertificate("IP:127.0.0.1");

  test.concurrent.for(seeds)(
    "whatever goes wrong, the accounts balance and a target that failed is not green (seed %i)",
    async (seed, { onTestFinished }) => {
      const folder = mkdtempSync(join(tmpdir(), "bearhug-chaos-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const input: ChaosInput = { command, plan: planChaos(seed, canCut), certificate };
      const inputPath = join(folder, "input.json");
      writeFileSync(inputPath, JSON.stringify(input));
      const line = [process.execPath, "--conditions=bearhug-source", chaosRun, inputPath, folder];
      const [program = "", ...arguments_] = canCut ? ["unshare", ...inOwnNetwork, ...line] : line;
      await promisify(execFile)(program, arguments_, {
        env: {
          PATH: process.env["PATH"],
          TMPDIR: folder,
          NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
        },
        timeout: 80_000,
      });
      const seen = JSON.parse(readFileSync(join(folder, "seen.json"), "utf8")) as ChaosSeen;
      const context = `${JSON.stringify(input.plan)}\n${seen.stdout}\n${seen.stderr}`;
      expect(seen, context).toMatchObject({ signal: null });
      const result = readResult(join(folder, "result.json"), seen);
      expect(seen.exitCode, context).toBe(result.exitCode);
      expectBalanced(result);
      expect(sum(result, "lost"), context).toBe(0);
      expect(seen.received, context).toBeLessThanOrEqual(sum(result, "sent"));
      expect(seen.answered, context).toBeGreaterThanOrEqual(answeredBy(result));
      const { model } = input.plan;
      const offered = model === "open" ? result.accounting.iterations.scheduled : sum(result, "started");
      if (seen.exitCode === 0) expect(answeredBy(result), context).toBeGreaterThanOrEqual(offered / 2);
    },
  );
}

/** Returns the number of requests that got a complete response, whatever its status. */
function answeredBy({ series }: ReturnType<typeof readResult>): number {
  return series
    .filter(
      ({ metric, tags }) =>
        metric === "http_reqs" && tags["scenario"] !== undefined && tags["status"] !== "0",
    )
    .reduce((total, { values }) => total + (values["count"] ?? 0), 0);
}
