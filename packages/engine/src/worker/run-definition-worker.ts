import { loadFetchSupport } from "@bearhug/http/load-undici";
import { UnmeasuredLog, type TrafficStage } from "@bearhug/metrics/unmeasured-log";
import type { Tracer } from "@bearhug/plan/clients/tracer";
import { InvalidTest, type TestProblem } from "@bearhug/plan/definition/invalid-test";
import { readSummary } from "@bearhug/plan/definition/read-summary";
import { needsEnv, resolveTest } from "@bearhug/plan/definition/resolve-test";
import { declaredEnv, validateTest } from "@bearhug/plan/definition/validate-test";
import type { ReadFeeds } from "@bearhug/plan/feeds/read-feeds";
import { isDescribedInLoadWorker } from "@bearhug/plan/protocol/definition-source";
import type {
  DefinitionWorkerStart,
  FailedRequest,
  FromDefinitionWorker,
  WorkerPort,
  Thrown,
  ToDefinitionWorker,
} from "@bearhug/plan/protocol/messages";
import type { RunPlan } from "@bearhug/plan/protocol/plan";
import { readThrown } from "@bearhug/plan/protocol/read-thrown";
import { countRows, noFeeds } from "@bearhug/plan/protocol/shared-feeds";
import { bundlePathOf, loadDefinition } from "@bearhug/plan/test-file/load-definition";
import { readEnv } from "@bearhug/plan/test-file/read-env";
import { InvalidInput, type Problem, type TestResult } from "@bearhug/sdk";
import { type AnyTestDefinition, isTest } from "@bearhug/sdk/internal";
import { secretsIn } from "@bearhug/text/data-secrets";
import type { Mask } from "@bearhug/text/secret-mask";

import { flushThreadOutput } from "./masked-output.ts";
import { current, moduleCode, type Current, type UnhandledError } from "./current.ts";
import { isOwnThread } from "./dedicated-thread.ts";
import { describeUncopied } from "./describe-uncopied.ts";
import { watchExits } from "./exit-guard.ts";
import type { RunningStage } from "./run-stage.ts";
import { keepBundleStacks, serializeThrown } from "./stack-position.ts";
import { endsOnPurpose, holdUnhandledErrors, listenForUnhandledErrors } from "./unhandled-errors.ts";
import { watchTraffic } from "./traffic-watch.ts";

type DefinitionPort = WorkerPort<FromDefinitionWorker, ToDefinitionWorker>;

/**
 * Loads and describes the test; runs its setup before the load, its teardown after it, and its summary at the
 * end.
 */
export async function runDefinitionWorker(
  start: DefinitionWorkerStart,
  port: DefinitionPort,
  mask: Mask,
  tracer: Tracer | null,
): Promise<void> {
  const isProgramsThread = start.isInProgram === true;
  const parts = { start, port, mask };
  const unhandledErrors = isProgramsThread ? null : new UnhandledErrorsOfSetup(parts);
  const stages: Stages = { ...parts, tracer, unhandledErrors, begun: [] };
  const test = await describe(stages);
  if (test === null) return;
  // Without setup and teardown, nothing but the summary is to come: code of the module must not cost it.
  if (test.summary !== undefined && test.setup === undefined && test.teardown === undefined)
    unhandledErrors?.begin();
  let prepared: { readonly plan: RunPlan; readonly data: unknown } | null = null;
  port.receive((message) => {
    if (message.type === "cutOff") {
      // Requests that its code did not await are rejected, too, and must not end the thread.
      unhandledErrors?.begin();
      for (const stage of stages.begun) stage.end();
    } else if (message.type === "setup") {
      mask.declare(message.plan.secrets);
      void setup(stages, test, message.plan).then(({ data }) => {
        prepared = { plan: message.plan, data };
      });
    } else if (message.type === "summarize") {
      mask.declare(message.secrets);
      void summarize(stages, test, message.result);
    } else if (prepared !== null) void teardown(stages, test, prepared);
  });
}

/**
 * Reports unhandled errors of code that setup started, such as a timer. Otherwise they would end the thread in
 * the middle of the load, unnoticed. An unhandled error of teardown or of the summary fails that stage.
 */
class UnhandledErrorsOfSetup {
  readonly #parts: WorkerParts;
  #isListening = false;
  #endsByItself = false;
  /** The stage that runs; null between stages. The owner of a summary's code is unknown. */
  #running: { readonly stage: "teardown" | "summary"; readonly owner: Current | undefined } | null = null;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
  }

  /** Begins to report errors, when setup is over or has failed, or there is none. Later calls have no effect. */
  begin(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    const { port } = this.#parts;
    const stopListening = listenForUnhandledErrors((unhandled) => {
      // An exit listener of the test may throw at the end of the thread.
      if (!this.#endsByItself && !endsOnPurpose(unhandled.error)) this.#take(unhandled);
    });
    port.onClose(stopListening);
    // In the main thread, `process.exit` throws an error, which the code may catch.
    const stopWatching = watchExits((error, ended) => {
      if (ended === "definition" && this.#running === null) this.#take({ code: "UNCAUGHT_EXCEPTION", error });
    });
    port.onClose(stopWatching);
    if (!isOwnThread()) return;
    process.once("beforeExit", () => {
      this.#endsByItself = true;
    });
    process.once("exit", (exitCode) => {
      if (this.#endsByItself || this.#running !== null) return;
      const error = new Error(`setup's thread was ended by process.exit(${exitCode})`);
      this.#take({ code: "UNCAUGHT_EXCEPTION", error });
    });
  }

  enter(stage: "teardown" | "summary", owner?: Current): void {
    this.#running = { stage, owner };
  }

  leave(stage: "teardown" | "summary"): void {
    if (this.#running?.stage === stage) this.#running = null;
  }

  #take({ code, error }: UnhandledError): void {
    const owner = current.getStore();
    const running = this.#running;
    if (running !== null && (owner === undefined || owner === running.owner))
      sendThrown(this.#parts, running.stage, error);
    else this.#parts.port.send({ type: "unhandledError", code, thrown: serialize(error, this.#parts) });
  }
}

/**
 * Runs code of the test, flushes what it prints, and reports connections and requests that bypass the
 * engine's clients. These are allowed here: setup may need a database.
 */
async function runWatched<Result>(
  stage: TrafficStage,
  { source, isInProgram }: DefinitionWorkerStart,
  port: DefinitionPort,
  run: () => Promise<Result>,
): Promise<Result> {
  const log = new UnmeasuredLog();
  const bundlePath = bundlePathOf(source);
  const { replaceFetch } = await loadFetchSupport(source);
  const endWatch = watchTraffic(log, {
    stage,
    bundlePath,
    isInProgram,
    mayConnect: () => true,
    mayBypassEngine: true,
    replaceFetch,
  });
  const endBundleStacks = keepBundleStacks();
  // In a thread that outlives the worker, its changes are undone even if the stage never ends.
  port.onClose(endWatch);
  port.onClose(endBundleStacks);
  try {
    return await run();
  } finally {
    endBundleStacks();
    endWatch();
    const traffic = log.drain();
    if (traffic.length > 0) port.send({ type: "unmeasured", traffic });
    await flushThreadOutput();
  }
}

interface WorkerParts {
  readonly start: DefinitionWorkerStart;
  readonly port: DefinitionPort;
  readonly mask: Mask;
}

/** The parts that describing a test and running its stages use. */
interface Stages extends WorkerParts {
  /** Null unless each step of the test is traced. */
  readonly tracer: Tracer | null;
  /** Null in a program's thread: the program catches the errors itself. */
  readonly unhandledErrors: UnhandledErrorsOfSetup | null;
  /** The stages that have begun. */
  readonly begun: RunningStage[];
}

async function describe(parts: WorkerParts): Promise<AnyTestDefinition | null> {
  const { start, port, mask } = parts;
  try {
    const loaded = await runWatched("module", start, port, async () => {
      const loading = await current.run(moduleCode, loadDefinition, start.source);
      if (isDescribedInLoadWorker(start.source)) holdUnhandledErrors();
      return loading;
    });
    // Inside the `try`, because getters and proxies in the test may throw when it is validated.
    const { test, problems } = validateTest(resolveOptions(loaded, start, port, mask), start.clientMetrics);
    const { feeds, problems: feedProblems } = await loadFeeds(loaded, problems, start);
    const found = [...problems, ...at("feeds", feedProblems)];
    if (test === undefined || found.length > 0) throw new InvalidTest(found);
    if (!isTest(loaded)) {
      throw new InvalidInput([
        "The default export is a plain object. Wrap it: export default defineTest({ … }).",
      ]);
    }
    maskDataSecrets(feeds.secrets, port, mask);
    const counted = test.feeds.map((feed) => {
      const shared = feeds.byName[feed.name];
      return { ...feed, rows: shared === undefined ? null : countRows(shared) };
    });
    port.send({ type: "described", test: { ...test, feeds: counted }, feeds });
    return loaded;
  } catch (error) {
    if (error instanceof InvalidInput) {
      const found: readonly TestProblem[] =
        error instanceof InvalidTest ? error.found : at("", error.problems);
      const problems = found.map(({ code, path, message }) => ({
        code,
        path: mask.hide(path),
        message: mask.hide(message),
      }));
      port.send({ type: "invalid", problems });
      return null;
    }
    sendThrown(parts, "module", error);
    return null;
  }
}

/** Masks secrets of the test's data, here and in the coordinator. */
function maskDataSecrets(values: readonly string[], port: DefinitionPort, mask: Mask): void {
  if (values.length === 0) return;
  mask.addDataSecrets(values);
  port.send({ type: "dataSecrets", values });
}

function at(path: string, messages: readonly string[]): Problem[] {
  return messages.map((message) => ({ path, message }));
}

/**
 * Reads the rows of the test's feeds. Their problems are reported together with the test's other problems.
 */
async function loadFeeds(
  loaded: unknown,
  problems: readonly Problem[],
  { source }: DefinitionWorkerStart,
): Promise<ReadFeeds> {
  const feeds = isTest(loaded) ? loaded.feeds : undefined;
  const paths = problems.map(({ path }) => path).filter((path) => /^feeds\b/.test(path));
  const misdeclared = paths.map((path) => /^feeds\.([\p{ID_Continue}$-]+)/u.exec(path)?.[1]);
  if (feeds === undefined || misdeclared.includes(undefined) || source.kind === "url")
    return { feeds: noFeeds, problems: [] };
  const readable = Object.entries(feeds).filter(([name]) => !misdeclared.includes(name));
  // Loaded only for tests with feeds.
  const { readFeeds } = await import("@bearhug/plan/feeds/read-feeds");
  return readFeeds(Object.fromEntries(readable), source.folder);
}

/**
 * Resolves options that the test computes from its variables.
 * @throws {InvalidTest} with all problems of the variables
 */
function resolveOptions(
  loaded: unknown,
  { variables }: DefinitionWorkerStart,
  port: DefinitionPort,
  mask: Mask,
): unknown {
  if (typeof loaded !== "object" || loaded === null || !needsEnv(loaded)) return loaded;
  const { env: declared, problems: invalid } = declaredEnv(loaded);
  if (invalid.length > 0) throw new InvalidTest(invalid);
  const { values, secrets, problems } = readEnv(declared, variables);
  mask.declare(secrets);
  port.send({ type: "secrets", values: secrets });
  if (problems.length > 0) throw new InvalidTest(problems);
  return resolveTest(loaded, values, declared);
}

async function setup(
  stages: Stages,
  test: AnyTestDefinition,
  plan: RunPlan,
): Promise<{ readonly data: unknown }> {
  const { start, port, mask, tracer, unhandledErrors, begun } = stages;
  const failed: FailedRequest[] = [];
  try {
    const { beginStage } = await import("./run-stage.ts");
    const accounting = start.setupAccounting;
    const parts = { start, plan, port, test, mask, tracer, stage: "setup", accounting, failed } as const;
    const data = await runWatched("setup", start, port, async () => {
      const stage = await beginStage(parts, (context) => test.setup?.(context));
      begun.push(stage);
      return stage.result;
    });
    unhandledErrors?.begin();
    sendData(port, data);
    maskDataSecrets(secretsIn(data), port, mask);
    // Wrapped in an object: `await` would look for a `then` on the bare data a second time.
    return { data };
  } catch (error) {
    // What setup started may throw later, and must not cost the summary.
    unhandledErrors?.begin();
    sendThrown(stages, "setup", error, failed);
    return { data: undefined };
  }
}

function sendData(port: DefinitionPort, data: unknown): void {
  try {
    port.send({ type: "setupDone", data });
  } catch (cause) {
    const why = describeUncopied(data) ?? readThrown(cause).reason.replace(/\.$/, "");
    throw new TypeError(
      `setup returned a value that cannot be copied to the workers: ${why}. Return plain data.`,
      { cause },
    );
  }
}

async function teardown(
  stages: Stages,
  test: AnyTestDefinition,
  { plan, data }: { readonly plan: RunPlan; readonly data: unknown },
): Promise<void> {
  const { start, port, mask, tracer, unhandledErrors, begun } = stages;
  const failed: FailedRequest[] = [];
  try {
    const { beginStage } = await import("./run-stage.ts");
    const accounting = start.teardownAccounting;
    const parts = { start, plan, port, test, mask, tracer, stage: "teardown", accounting, failed } as const;
    await runWatched("teardown", start, port, async () => {
      // Its code may call process.exit at once, before its owner is known here.
      unhandledErrors?.enter("teardown");
      const stage = await beginStage(parts, (context) => test.teardown?.({ ...context, data }));
      begun.push(stage);
      unhandledErrors?.enter("teardown", stage.owner);
      return stage.result;
    });
    unhandledErrors?.leave("teardown");
    port.send({ type: "teardownDone" });
  } catch (error) {
    sendThrown(stages, "teardown", error, failed);
  }
}

async function summarize(stages: Stages, test: AnyTestDefinition, result: TestResult): Promise<void> {
  stages.unhandledErrors?.enter("summary");
  try {
    const summary = readSummary(await test.summary?.(result));
    await flushThreadOutput();
    stages.port.send({ type: "summarized", summary });
  } catch (error) {
    sendThrown(stages, "summary", error);
  }
}

/**
 * Sends what a stage threw. For setup and teardown, with the requests that had failed: these are often the
 * reason.
 */
function sendThrown(
  parts: WorkerParts,
  stage: "module" | "setup" | "teardown" | "summary",
  error: unknown,
  failed: readonly FailedRequest[] = [],
): void {
  const thrown = serialize(error, parts);
  const failedRequests = failed.length === 0 ? {} : { failedRequests: failed };
  parts.port.send({ type: "threw", stage, thrown: { ...thrown, ...failedRequests } });
}

function serialize(error: unknown, { start, mask }: WorkerParts): Thrown {
  return serializeThrown(error, bundlePathOf(start.source), mask);
}
