import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { runTest } from "./bench-process.ts";

/** The number of requests to send, and of connections. */
export interface RequestLoad {
  readonly url: string;
  readonly connections: number;
  /** Requests before the measurement, until both sides have compiled their code. */
  readonly warmup: number;
  readonly requests: number;
}

/** The function with which `bare-undici.ts` sends its requests. */
export type BareWay = "request" | "fetch";

const bareUndici = fileURLToPath(new URL("bare-undici.ts", import.meta.url));

/**
 * Returns the CPU of a request in an iteration of a script, in µs, for the whole process of the built command
 * line, all threads. `body` is the code of the iteration, which makes one request and one check.
 */
export async function costInScript(
  { url, connections, warmup, requests }: RequestLoad,
  body: string,
  ...options: readonly string[]
): Promise<number> {
  const wanted = warmup + requests + 1;
  const source = `import { defineTest } from "@bearhug/sdk";
let before;
export default defineTest({
  baseUrl: "${url}",
  metrics: { cpu_us: { type: "gauge" } },
  scenarios: {
    visitors: {
      executor: "shared-iterations", vus: ${connections}, iterations: ${wanted},
      tags: { kind: "visitor" },
      exec: async ({ http, check, iteration, metrics }) => {
        if (iteration.index === ${warmup}) before = process.cpuUsage();
        if (iteration.index === ${warmup + requests}) {
          const { user, system } = process.cpuUsage(before);
          metrics.cpu_us.add(user + system);
        }
        ${body}
      },
    },
  },
});`;
  const { result } = await runTest(source, "--workers", "1", ...options);
  const [sent, succeeded] = [sumOf("sent"), sumOf("succeeded")];
  const checked = result.checks.reduce((sum, { passes }) => sum + passes, 0);
  if (sent !== wanted || succeeded !== wanted || checked !== wanted) {
    throw new Error(
      `${wanted} iterations, but ${sent} requests sent, ${succeeded} succeeded, ${checked} checked`,
    );
  }
  const used = result.metrics["cpu_us"];
  return (used?.type === "gauge" ? used.values.value : Number.NaN) / requests;

  function sumOf(state: "sent" | "succeeded"): number {
    return result.accounting.requests.reduce((sum, request) => sum + request[state], 0);
  }
}

/** Returns the CPU of a request of bare undici, in µs. */
export function costInUndici({ url, connections, warmup, requests }: RequestLoad, way: BareWay): number {
  const counts = [connections, warmup, requests].map(String);
  return (
    Number(execFileSync(process.execPath, [bareUndici, way, url, ...counts], { encoding: "utf8" })) / requests
  );
}
