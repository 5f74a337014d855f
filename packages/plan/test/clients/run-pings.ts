import { fileURLToPath } from "node:url";

import type { TestResult } from "@bearhug/sdk";

import { builtInClients } from "../../../engine/src/built-in-clients.ts";
import { Interruptions } from "../../../engine/src/run/interruptions.ts";
import { ThreadPool } from "../../../engine/src/run/thread-pool.ts";
import { executeRun } from "../../../engine/src/run/conduct-run.ts";
import { loadModule } from "../../../engine/src/run/load-test.ts";
import { optionsOf } from "../test-file/tests-for-plans.ts";
import { tcp } from "./ping-kind.ts";

/** Runs the pings of a fixture against a port, with workers in threads of their own. */
export async function runPings(fixture: string, port: number): Promise<TestResult> {
  const file = fileURLToPath(new URL(`fixtures/${fixture}.ts`, import.meta.url));
  const loaded = await loadModule(file);
  try {
    return await executeRun({
      loaded: { ...loaded, environment: { PORT: String(port) } },
      clients: [...builtInClients, tcp],
      options: optionsOf(),
      launch: new ThreadPool([]).launch,
      interruptions: new Interruptions(),
      observer: { onLog: () => {}, onWarning: () => {} },
      recorder: null,
    });
  } finally {
    loaded.remove();
  }
}
