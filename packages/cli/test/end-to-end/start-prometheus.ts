import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { onTestFinished } from "vitest";
import * as z from "zod";

import { freePort } from "../free-port.ts";
import { temporaryFolder } from "./run-bearhug.ts";

/** True if there is a Prometheus to test with. If BEARHUG_REQUIRE_TOOLS is set, tests fail without one. */
export const hasPrometheus = process.env["BEARHUG_REQUIRE_TOOLS"] !== undefined || canRun();

function canRun(): boolean {
  try {
    execFileSync("prometheus", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A Prometheus for one test. */
export interface Prometheus {
  /** Returns the value of an expression, or null if it has none. */
  value(expression: string): Promise<number | null>;
}

const answer = z.object({
  data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }),
});

/** Starts a Prometheus that scrapes this address five times a second; it ends with the test. */
export async function startPrometheus(target: string): Promise<Prometheus> {
  const folder = temporaryFolder();
  const config = {
    scrape_configs: [
      {
        job_name: "bearhug",
        scrape_interval: "200ms",
        scrape_timeout: "200ms",
        static_configs: [{ targets: [target] }],
      },
    ],
  };
  // JSON is YAML.
  writeFileSync(join(folder, "prometheus.yml"), JSON.stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    "prometheus",
    [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=${address}`,
    ],
    { stdio: "ignore" },
  );
  onTestFinished(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  const value = async (expression: string): Promise<number | null> => {
    const response = await fetch(`http://${address}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const [first] = answer.parse(await response.json()).data.result;
    return first === undefined ? null : Number(first.value[1]);
  };
  await untilScraping(value);
  return { value };
}

/** Waits until Prometheus scrapes: it answers at once, but looks for its targets only every 5 s. */
async function untilScraping(value: Prometheus["value"]): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const up = await value("up").catch(() => null);
    if (up !== null) return;
    await sleep(100);
  }
  throw new Error("Prometheus did not begin to scrape.");
}
