// `pnpm fuzz [cases] [first seed]`: does bearhug's own HTTP/2 withstand anything that a server sends? Each
// case is a connection in memory with a random server, whose bytes are usually changed: frames dropped,
// repeated, swapped and forged, bytes altered, lost and added, and all of it cut anywhere. A case fails if
// the transport throws, hangs, leaves a request without an end, or delivers data to a request that was not
// sent for its stream. The same seed makes the same case.
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

import { runFuzzCase } from "../packages/http/test/http2/fuzz/fuzz-case.ts";

interface Assignment {
  readonly cases: number;
  readonly firstSeed: number;
  /** The number of finished cases, for the main thread. */
  readonly progress: Int32Array;
}

const mostFailures = 10;
/** A case takes less than a millisecond. */
const hangMs = 60_000;

if (isMainThread) await watch(Number(process.argv[2] ?? 100_000), Number(process.argv[3] ?? 0));
else work(workerData as Assignment);

function work({ cases, firstSeed, progress }: Assignment): void {
  // Errors that cases throw on purpose are faster without a stack trace.
  Error.stackTraceLimit = 0;
  for (let index = 0; index < cases; index++) {
    try {
      runFuzzCase(firstSeed + index);
    } catch (error) {
      parentPort?.postMessage(`seed ${firstSeed + index}: ${String(error)}`);
    }
    Atomics.store(progress, 0, index + 1);
  }
}

async function watch(cases: number, firstSeed: number): Promise<void> {
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL(import.meta.url), { workerData: { cases, firstSeed, progress } });
  const failures: string[] = [];
  worker.on("message", (failure: string) => failures.push(failure));
  const ended = once(worker, "exit").then(() => true);
  const began = performance.now();
  let lastDone = -1;
  for (let isOver = false; !isOver && failures.length < mostFailures;) {
    isOver = await Promise.race([ended, wait(hangMs, false, { ref: false })]);
    const done = Atomics.load(progress, 0);
    if (!isOver && done === lastDone) failures.push(`seed ${firstSeed + done}: hangs`);
    lastDone = done;
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(`${done} of ${cases} cases in ${seconds} s, ${failures.length} failed`);
    if (failures.at(-1)?.endsWith("hangs") === true) break;
  }
  for (const failure of failures) console.error(failure);
  process.exit(failures.length === 0 ? 0 : 1);
}
