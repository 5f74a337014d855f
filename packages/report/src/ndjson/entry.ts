import { parentPort, workerData } from "node:worker_threads";

import { every, pause, systemClock } from "@bearhug/plan/pacing/clock";
import { errorMessage } from "@bearhug/text/caught-error";

import { LineFile } from "./line-file.ts";
import type { FromNdjsonThread, NdjsonStart, ToNdjsonThread } from "./messages.ts";
import { StreamWriter } from "./stream-writer.ts";

if (parentPort === null) throw new TypeError("ndjson/entry.ts runs in a worker thread only");
const port = parentPort;
const post = (message: FromNdjsonThread): void => port.postMessage(message);
const fail = (error: unknown): void => post({ type: "failed", message: errorMessage(error) });

const samplesEveryMs = 50;
const flushEveryMs = 1000;
/** How long to wait for the file to catch up. */
const pauseMs = 10;

// The type is right, because this package writes both ends of the channel.
const start = workerData as NdjsonStart;
try {
  const file = await LineFile.open(start.path, fail);
  const writer = new StreamWriter(file, start);
  const endWriting = every(systemClock, samplesEveryMs, () => {
    writer.writeSamples();
  });
  const endFlushing = every(systemClock, flushEveryMs, () => file.flush());
  port.on("message", (message: ToNdjsonThread) => {
    if (message.type !== "end") {
      writer.take(message);
      return;
    }
    endWriting();
    endFlushing();
    writer
      .end(message.end, () => pause(systemClock, pauseMs))
      .catch(fail)
      .finally(() => post({ type: "ended" }));
  });
  post({ type: "open" });
} catch (error) {
  fail(error);
}
