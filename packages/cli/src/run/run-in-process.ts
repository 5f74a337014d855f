import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { RecordingFile } from "@bearhug/engine/recording/recording-file";
import { executeRun } from "@bearhug/engine/run/conduct-run";
import { Interruptions } from "@bearhug/engine/run/interruptions";
import { loadModule, loadObject, loadUrl, type LoadedTest } from "@bearhug/engine/run/load-test";
import { launchEmbedded } from "@bearhug/engine/worker/launch-in-this-thread";
import { makeTemporaryFolder } from "@bearhug/plan/test-file/run-folders";
import { readRunOptions, type RunOptions } from "@bearhug/plan/test-file/run-options";
import { outKindOf } from "@bearhug/report/index";
import { addUnwrittenReports } from "@bearhug/report/multiplexer";
import type { Reporter } from "@bearhug/report/reporter";
import { InvalidInput, type Reporter as PublicReporter, type Test, type TestResult } from "@bearhug/sdk";
import { isTest } from "@bearhug/sdk/internal";
import { errorMessage } from "@bearhug/text/caught-error";

import { launcherFor } from "./launcher-for.ts";
import { observeFor, openOutputs, type Outputs } from "./open-outputs.ts";
import { checkFlags } from "./check-flags.ts";
import { rephraseForOptions, mistypedOptions, unknownOptions, writeOptions } from "./read-test-options.ts";
import type { RunTestOptions } from "./run-test-options.ts";

type Subject =
  | { readonly kind: "file"; readonly file: string }
  | { readonly kind: "url"; readonly url: URL }
  | { readonly kind: "object"; readonly test: Test };

/** Runs a test as part of this program. @throws {InvalidInput} */
export async function runInProcess(given: string | URL | Test, options: RunTestOptions): Promise<TestResult> {
  try {
    const mistyped = mistypedOptions(options);
    if (mistyped.length > 0) throw new InvalidInput(mistyped);
    const problems = unknownOptions(options);
    const subject = readSubject(given, problems);
    const read = readOptions(subject, options, problems);
    if (subject === null || problems.length > 0) throw new InvalidInput(problems);
    const start = (): Promise<TestResult> => run(subject, read, options);
    return await (read.workers === 0 ? runExclusively(start) : start());
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    throw new InvalidInput(error.problems.map(rephraseForOptions), { cause: error });
  }
}

/** Runs in this thread share its globals, so only one may run at a time. */
let isThreadTaken = false;

async function runExclusively(run: () => Promise<TestResult>): Promise<TestResult> {
  if (isThreadTaken)
    throw new InvalidInput(["runTest: another run in this thread has not ended. Await it before the next."]);
  isThreadTaken = true;
  try {
    return await run();
  } finally {
    isThreadTaken = false;
  }
}

async function run(subject: Subject, read: RunOptions, options: RunTestOptions): Promise<TestResult> {
  const { out = [], samples, reporters = [], signal, onMessage = () => undefined } = options;
  const interruptions = new Interruptions();
  const stop = (): void => interruptions.interrupt("the AbortSignal");
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop, { once: true });
  let outputs: Outputs | null = null;
  let recording: TemporaryRecording | null = null;
  let loaded: LoadedTest | null = null;
  try {
    recording = out.some((text) => outKindOf(text) === "recording")
      ? await TemporaryRecording.open(onMessage)
      : null;
    const file = recording?.file ?? null;
    const outputRequest = { out, samples, reporters: reporters.map(wrapReporter) };
    outputs = await openOutputs(
      { ...outputRequest, ...(file && { recording: () => file.read() }) },
      onMessage,
    );
    loaded = await load(subject);
    const result = await executeRun({
      loaded,
      options: read,
      launch: read.workers === 0 ? launchEmbedded : await launcherFor(loaded, read.workers),
      interruptions,
      observer: observeFor([outputs.files, outputs.sinks], {
        onLog: ({ level, text, from }) =>
          onMessage(`${level === "info" ? "" : `${level}: `}${text}  (${from})`),
        onWarning: onMessage,
      }),
      recorder: file,
      samples: outputs.samples,
    });
    const ended = await outputs.end(result);
    const { problems } = await outputs.files.onEnd(ended);
    return addUnwrittenReports(ended, problems);
  } finally {
    signal?.removeEventListener("abort", stop);
    loaded?.remove();
    await Promise.all([recording?.remove(), outputs?.close()]);
  }
}

/** Wraps a caller's reporter in the internal interface. */
function wrapReporter(reporter: PublicReporter, index: number): Reporter {
  return {
    name: `reporters[${index}]`,
    wantsSeries: reporter.wantsSeries === true,
    onStart: (run) => reporter.onStart?.(run),
    onInterval: (snapshot) => reporter.onInterval?.(snapshot),
    onEnd: (result) => reporter.onEnd?.(result),
  };
}

/** A recording that exists only during the run. */
class TemporaryRecording {
  readonly file: RecordingFile;
  readonly #folder: string;

  private constructor(folder: string, warn: (text: string) => void) {
    this.#folder = folder;
    this.file = new RecordingFile(folder, warn);
  }

  static async open(warn: (text: string) => void): Promise<TemporaryRecording> {
    return new TemporaryRecording(await makeTemporaryFolder("bearhug-recording-"), warn);
  }

  async remove(): Promise<void> {
    await this.file.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function load(subject: Subject): Promise<LoadedTest> {
  switch (subject.kind) {
    case "file":
      return loadModule(subject.file);
    case "url":
      return Promise.resolve(loadUrl({ method: "GET", url: subject.url.href, headers: [], body: null }));
    case "object":
      return Promise.resolve(loadObject(subject.test));
  }
}

function readSubject(given: string | URL | Test, problems: string[]): Subject | null {
  if (typeof given !== "string" && !(given instanceof URL)) {
    if (isTest(given)) return { kind: "object", test: given };
    problems.push("runTest takes the path or URL of a test, or what defineTest returned.");
    return null;
  }
  const url = given instanceof URL ? given : /^(https?|file):/i.test(given) ? URL.parse(given) : null;
  if (url !== null && (url.protocol === "http:" || url.protocol === "https:")) return { kind: "url", url };
  if (url !== null && url.protocol !== "file:") {
    problems.push(`${url.href}: runTest takes http:, https: and file: URLs.`);
    return null;
  }
  const file = url === null ? String(given) : pathOf(url, problems);
  if (file === null) return null;
  if (!/\.har(\.gz)?$/i.test(file)) return { kind: "file", file };
  problems.push(`${file}: runTest takes no capture. Make a test of it first: bearhug import ${file}.`);
  return null;
}

function pathOf(url: URL, problems: string[]): string | null {
  try {
    return fileURLToPath(url);
  } catch (error) {
    problems.push(`${url.href}: ${errorMessage(error)}.`);
    return null;
  }
}

function readOptions(subject: Subject | null, options: RunTestOptions, problems: string[]): RunOptions {
  const { out = [], samples } = options;
  const file = subject?.kind === "file" ? subject.file : undefined;
  const written = { ...writeOptions(options), out, samples };
  const read = readRunOptions(written, problems);
  checkFlags(written, read, { file, hasOwnMetrics: subject?.kind !== "url" }, problems);
  if (subject?.kind !== "object") return read;
  if (read.workers !== null && read.workers > 0)
    problems.push(
      `workers ${read.workers}: the functions of a test object cannot be sent to other threads. Leave workers out, or give runTest the test's file.`,
    );
  return { ...read, workers: 0 };
}
