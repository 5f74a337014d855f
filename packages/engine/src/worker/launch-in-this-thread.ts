import { once } from "node:events";
import { MessageChannel } from "node:worker_threads";

import type { Tracer } from "@bearhug/plan/clients/tracer";
import { systemClock } from "@bearhug/plan/pacing/clock";
import type { Launcher, WorkerEnd, WorkerHandle } from "@bearhug/plan/protocol/launcher";
import type { LogLine } from "@bearhug/plan/protocol/messages";
import { asError, readThrown } from "@bearhug/plan/protocol/read-thrown";
import { createSourceNames } from "@bearhug/plan/test-file/bundle-positions";
import { SourceLines } from "@bearhug/plan/test-file/source-lines";
import type { MaskedText } from "@bearhug/text/masked-text";

import { current } from "./current.ts";
import { guardExits } from "./exit-guard.ts";
import { endsOnPurpose, listenForUnhandledErrors } from "./unhandled-errors.ts";
import { maskOutput } from "./masked-output.ts";
import { createThreadMask, portOf, runWorker } from "./run-worker.ts";

/** A worker whose code runs in this thread. */
interface WorkerHere {
  readonly role: Parameters<Launcher>[0]["role"];
  /** Reports the worker as ended, like a thread. Its code cannot be stopped at once. */
  readonly end: (end: WorkerEnd) => void;
  readonly onOutput: (text: string) => void;
}

/** The workers that run in this thread, oldest first: the definition worker comes before the load worker. */
const running: WorkerHere[] = [];

/**
 * Functions that end the masking of what tests print here. It outlasts their runs: their timers may still
 * print.
 */
let releases: (() => void)[] = [];

/** `--workers 0`: runs a worker's code in this thread, for debuggers. A test that blocks then blocks everything. */
export const launchInThisThread: Launcher = (start, onOutput) => {
  if (running.length === 0) watchThread(onOutput);
  return launch(start, onOutput, maskToTheEnd);
};

/** Does the same as `launchInThisThread`, and reports to a tracer what the test does. */
export function launchTraced(tracer: Tracer): Launcher {
  return (start, onOutput) => {
    if (running.length === 0) watchThread(onOutput);
    return launch(start, onOutput, maskToTheEnd, tracer);
  };
}

function maskToTheEnd(hide: (text: string) => string): () => void {
  releases.push(maskOutput(hide));
  return () => undefined;
}

/**
 * Does the same inside a program that goes on after the run. Exits, output and uncaught errors stay the
 * program's own, even if the test causes them. So do the program's `fetch` and connections.
 */
export const launchEmbedded: Launcher = (start, onOutput) =>
  launch({ ...start, isInProgram: true }, onOutput, () => () => undefined);

function launch<Sent, Received>(
  start: Parameters<Launcher>[0],
  onOutput: (text: string) => void,
  maskOutputOf: (hide: (text: string) => string) => () => void,
  tracer: Tracer | null = null,
): WorkerHandle<Sent, Received> {
  const { port1, port2 } = new MessageChannel();
  const outer = portOf<Sent, Received>(port1);
  const closed = once(port2, "close");
  let resolveEnd: (end: WorkerEnd) => void = () => undefined;
  const ended = new Promise<WorkerEnd>((resolve) => {
    resolveEnd = resolve;
  });
  const here: WorkerHere = {
    role: start.role,
    end: (end) => {
      if (start.role === "load") {
        resolveEnd(end);
        port1.postMessage({ type: "stop", mode: "hard" });
      }
      // What it has sent arrives first, as from a thread: code of setup may end it just after setup.
      else systemClock.nextTurn(() => resolveEnd(end));
    },
    onOutput,
  };
  running.push(here);
  const mask = createThreadMask(start.secrets, portOf(port2));
  const { source } = start;
  const lines = source.kind === "module" ? new SourceLines(source.bundlePath) : null;
  const withSources = createSourceNames(source, (position) => lines?.locate(position) ?? null);
  const show = (text: string): MaskedText => mask.hide(withSources(text));
  const releaseOutput = maskOutputOf(show);
  const traced = tracer && {
    ...tracer,
    log: (line: LogLine) => tracer.log({ ...line, text: show(line.text) }),
  };
  runWorker(start, port2, mask, traced).catch((error: unknown) =>
    here.end({ error: asError(error), exitCode: 1 }),
  );
  const terminate = async (): Promise<void> => {
    // A port without a listener would not keep the process alive until its `close` event.
    port2.ref();
    port1.close();
    releaseOutput();
    if (running.includes(here)) running.splice(running.indexOf(here), 1);
    resolveEnd({ error: null, exitCode: 0 });
    await closed;
  };
  const isOutOfHeap = (): Promise<boolean> => Promise.resolve(false);
  const letEnd = (): void => undefined;
  return { ...outer, ended, isOutOfHeap, release: terminate, letEnd, leave: terminate, terminate };
}

/** Makes `process.exit` and uncaught errors end the worker whose code runs, as they would end a thread. */
function watchThread(onOutput: (text: string) => void): void {
  const onExit = (exitCode: number): WorkerHere["role"] | undefined => {
    const isOfStage = current.getStore()?.isStage === true;
    const here = isOfStage ? running.find(({ role }) => role === "definition") : running.at(-1);
    here?.end({ error: null, exitCode });
    return here?.role;
  };
  const isFirst = guardExits(onExit, () => {
    for (const release of releases) release();
    releases = [];
  });
  if (!isFirst) return;
  // These go to the definition worker once setup is over, and to the load worker during the load.
  listenForUnhandledErrors(({ error }) => {
    const here = running.at(-1);
    // Load workers count unhandled errors themselves.
    if (here?.role === "load" || endsOnPurpose(error)) return;
    if (here === undefined) onOutput(`after the run: ${readThrown(error).reason}`);
    else here.end({ error: asError(error), exitCode: 1 });
  });
}
