// Loaded into every thread of a run by `node --expose-gc --import`: every ten seconds, collects garbage and
// records the memory in use.
import { appendFileSync } from "node:fs";
import { threadId } from "node:worker_threads";

const file = process.env["HEAP_LOG_FILE"];
const collect = globalThis.gc;
if (file !== undefined && collect !== undefined) {
  setInterval(() => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    appendFileSync(file, `${JSON.stringify({ threadId, atMs: performance.now(), heapUsed, external })}\n`);
  }, 10_000).unref();
}
