import { parentPort, workerData } from "node:worker_threads";
import { pathToFileURL } from "node:url";

import { readThrown } from "@bearhug/plan/protocol/read-thrown";
import { openSink } from "@bearhug/report/sinks/sink";
import type { Reporter } from "@bearhug/sdk";

import {
  isReporter,
  type FromReporterThread,
  type ReporterEvent,
  type ReporterThreadStart,
  type ToReporterThread,
} from "./messages.ts";

if (parentPort === null) throw new TypeError("reporter-thread/entry.ts runs in a worker thread only");
const port = parentPort;
const send = (message: FromReporterThread): void => port.postMessage(message);

/** @throws {TypeError} if the file exports no reporter */
async function loadReporter(path: string): Promise<Reporter> {
  const module = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
  const exported = typeof module.default === "function" ? await create(module.default) : module.default;
  if (isReporter(exported)) return exported;
  throw new TypeError(
    "its default export is no reporter: export default { onEnd(result) { … } } satisfies Reporter",
  );
}

function create(factory: object): unknown {
  return typeof factory === "function" ? (Reflect.apply(factory, undefined, []) as unknown) : undefined;
}

const sinkObserver = {
  warn: (text: string): void => send({ type: "warning", text }),
  lose: (text: string): void => send({ type: "loss", text }),
};

async function handle(reporter: Reporter, event: ReporterEvent): Promise<void> {
  if (event.type === "start") await reporter.onStart?.(event.run);
  else if (event.type === "interval") await reporter.onInterval?.(event.snapshot);
  else await reporter.onEnd?.(event.result);
}

// Type-safe without validation, because this package implements both ends of the channel.
const start = workerData as ReporterThreadStart;
try {
  const reporter = await (start.kind === "file"
    ? loadReporter(start.path)
    : openSink(start.sink, sinkObserver));
  let before = Promise.resolve();
  port.on("message", (message: ToReporterThread) => {
    if (message.type === "ping") {
      send({ type: "pong" });
      return;
    }
    // Calls run one after another, so that onEnd comes last, however long earlier calls take.
    before = before.then(async () => {
      try {
        await handle(reporter, message);
      } catch (error) {
        send({ type: "threw", during: message.type, message: readThrown(error).reason });
      }
      if (message.type === "interval") send({ type: "handled" });
      else if (message.type === "end") send({ type: "ended" });
    });
  });
  send({ type: "ready", wantsSeries: reporter.wantsSeries === true });
} catch (error) {
  send({ type: "threw", during: null, message: readThrown(error).reason });
}
