import { join } from "node:path";

import { readCaptureFile } from "../../src/capture-file/read-capture-file.ts";
import { startMock } from "../../src/mock/start-mock.ts";
import { readResult, runBearhug, temporaryFolder, type Reported } from "../end-to-end/run-bearhug.ts";

/** A request to the mock, with its arrival and the end of its response. */
export interface SeenRequest {
  readonly line: string;
  readonly startMs: number;
  endMs: number;
}

export interface Replayed extends Reported {
  /** In order of arrival. */
  readonly seen: readonly SeenRequest[];
}

/** Runs a capture, or a test of it, with one VU, against a mock with the recorded latency. */
export async function replayCapture(
  path: string,
  iterations: number,
  file: string = path,
): Promise<Replayed> {
  const seen: SeenRequest[] = [];
  const observer = {
    onRequest: (line: string) => {
      seen.push({ line, startMs: performance.now(), endMs: Infinity });
    },
    onResponded: (line: string) => {
      const request = seen.find((one) => one.line === line && one.endMs === Infinity);
      if (request !== undefined) request.endMs = performance.now();
    },
  };
  const mock = await startMock(await readCaptureFile(path), { latency: true, observer });
  try {
    const out = join(temporaryFolder(), "result.json");
    const load = ["--vus", "1", "--iterations", String(iterations)];
    const arguments_ = ["run", file, "--target", mock.url, ...load, "--quiet", "--out", `json=${out}`];
    const ended = await runBearhug(arguments_);
    return { ...ended, result: readResult(out, ended), seen };
  } finally {
    await mock.close();
  }
}

/** Returns the median load time of each page in ms. */
export function medianPageTimes({ result }: Pick<Reported, "result">): Map<string, number> {
  return new Map(
    result.pages.flatMap(({ name, metrics }): [string, number][] => {
      const times = metrics["page_duration"];
      return times?.type === "trend" ? [[name, times.values.med]] : [];
    }),
  );
}
