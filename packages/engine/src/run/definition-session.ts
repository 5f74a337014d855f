import { ErrorLog } from "@bearhug/metrics/error-log";
import { UnmeasuredLog, type UnmeasuredTraffic } from "@bearhug/metrics/unmeasured-log";
import { clientMetrics, type ClientKind } from "@bearhug/plan/clients/client-kind";
import { InvalidTest } from "@bearhug/plan/definition/invalid-test";
import type { ValidatedSummary } from "@bearhug/plan/definition/read-summary";
import type { ValidatedTest } from "@bearhug/plan/definition/validated-test";
import { awaitUntil, type Clock } from "@bearhug/plan/pacing/clock";
import type { DefinitionSource } from "@bearhug/plan/protocol/definition-source";
import type { Launcher, WorkerHandle } from "@bearhug/plan/protocol/launcher";
import type {
  FromDefinitionWorker,
  LogLine,
  Stage,
  Thrown,
  ToDefinitionWorker,
} from "@bearhug/plan/protocol/messages";
import type { RunPlan } from "@bearhug/plan/protocol/plan";
import { SharedAccounting } from "@bearhug/plan/protocol/shared-accounting";
import type { SharedFeeds } from "@bearhug/plan/protocol/shared-feeds";
import type { GivenVariables } from "@bearhug/plan/test-file/read-env";
import type { TestResult } from "@bearhug/sdk";
import type { Mask } from "@bearhug/text/secret-mask";

import type { StageFailure } from "../outcome/run-state.ts";

/** A valid test, with the rows of its feeds as workers receive them. */
export interface DescribedTest {
  readonly test: ValidatedTest;
  readonly feeds: SharedFeeds;
}

export type StageOutcome = { readonly data: unknown } | { readonly failure: StageFailure };

export type SummaryOutcome = { readonly summary: ValidatedSummary } | { readonly thrown: Thrown };

export interface DefinitionSessionOptions {
  readonly launch: Launcher;
  readonly source: DefinitionSource;
  readonly clients: readonly ClientKind[];
  readonly variables: GivenVariables;
  readonly clock: Clock;
  readonly mask: Mask;
}

/** An unhandled error of code that setup started. */
export type UnhandledErrorOfSetup = Extract<FromDefinitionWorker, { readonly type: "unhandledError" }>;

/** The worker that loads the test, and runs its setup, teardown and summary. */
export class DefinitionSession {
  readonly setupAccounting: SharedAccounting = new SharedAccounting();
  readonly teardownAccounting: SharedAccounting = new SharedAccounting();
  readonly setupOddities: ErrorLog = new ErrorLog();
  readonly teardownOddities: ErrorLog = new ErrorLog();
  /** Traffic of the module, setup and teardown that bypassed the engine. */
  readonly unmeasured: UnmeasuredLog = new UnmeasuredLog();
  readonly #handle: WorkerHandle<ToDefinitionWorker, FromDefinitionWorker>;
  readonly #clock: Clock;
  readonly #mask: Mask;
  readonly #onLog: (line: LogLine) => void;
  /** Receives unhandled errors of code that setup started, until the thread leaves. */
  onUnhandledError: (unhandled: UnhandledErrorOfSetup) => void = () => undefined;
  #listener: ((message: FromDefinitionWorker) => void) | null = null;
  #hasEnded = false;

  constructor(
    { launch, source, clients, variables, clock, mask }: DefinitionSessionOptions,
    onLog: (line: LogLine) => void,
    onOutput: (text: string) => void,
    onTraffic: (traffic: readonly UnmeasuredTraffic[]) => void,
  ) {
    this.#clock = clock;
    this.#mask = mask;
    this.#onLog = onLog;
    this.#handle = launch<ToDefinitionWorker, FromDefinitionWorker>(
      {
        role: "definition",
        source,
        variables,
        clientMetrics: clientMetrics(clients),
        setupAccounting: this.setupAccounting.buffer,
        teardownAccounting: this.teardownAccounting.buffer,
        secrets: mask.known(),
      },
      onOutput,
    );
    void this.#handle.ended.then(() => {
      this.#hasEnded = true;
    });
    this.#handle.receive((message) => {
      if (message.type === "log") this.#onLog(message.line);
      else if (message.type === "secrets") for (const value of message.values) mask.seen.add(value);
      else if (message.type === "dataSecrets") mask.addDataSecrets(message.values);
      else if (message.type === "unhandledError") this.onUnhandledError(message);
      else if (message.type === "oddities") {
        const log = message.stage === "setup" ? this.setupOddities : this.teardownOddities;
        for (const oddity of message.oddities) log.add(oddity, oddity.count);
      } else if (message.type === "unmeasured") {
        for (const traffic of message.traffic) this.unmeasured.add(traffic);
        onTraffic(message.traffic);
      } else this.#listener?.(message);
    });
  }

  /**
   * Resolves to the valid test, or to the failure of its module.
   * @throws {InvalidTest} with every problem of an invalid test
   */
  async describe(
    timeoutMs: number,
    interrupted: Promise<void>,
  ): Promise<DescribedTest | { readonly failure: StageFailure }> {
    const message = await this.#inTime("module", this.#next("module"), timeoutMs, interrupted);
    if (message.type === "described") return { test: message.test, feeds: message.feeds };
    if (message.type === "invalid") throw new InvalidTest(message.problems);
    return { failure: failureOf(message, "module") };
  }

  async setup(plan: RunPlan, timeoutMs: number, interrupted: Promise<void>): Promise<StageOutcome> {
    return this.#stage("setup", { type: "setup", plan }, timeoutMs, interrupted);
  }

  async teardown(timeoutMs: number, interrupted: Promise<void>): Promise<StageOutcome> {
    return this.#stage("teardown", { type: "teardown" }, timeoutMs, interrupted);
  }

  /** Runs the test's own summary. Masks what it returns. */
  async summarize(
    result: TestResult,
    timeoutMs: number,
    interrupted: Promise<void>,
  ): Promise<SummaryOutcome> {
    const reply = this.#next("summary");
    this.#handle.send({ type: "summarize", result, secrets: this.#mask.known() });
    const message = await this.#inTime("summary", reply, timeoutMs, interrupted);
    if (message.type === "threw") return { thrown: message.thrown };
    if (message.type !== "summarized") throw unexpected(message, "summary");
    const { stdout, files } = message.summary;
    const hide = (text: string): string => this.#mask.hide(text);
    return {
      summary: {
        stdout: stdout === null ? null : hide(stdout),
        files: Object.fromEntries(Object.entries(files).map(([path, content]) => [path, hide(content)])),
      },
    };
  }

  /**
   * Releases its thread for reuse after describing the test, or ends it if the test's module bypassed the
   * engine.
   */
  async release(): Promise<void> {
    this.#listener = null;
    this.onUnhandledError = () => undefined;
    if (this.unmeasured.all().length > 0) this.letEnd();
    else await this.#handle.release();
  }

  /** Lets its thread end once nothing that setup began, such as a server, keeps it alive. */
  letEnd(): void {
    this.#listener = null;
    this.#handle.letEnd();
  }

  /** Resolves when its thread has ended. */
  get ended(): Promise<unknown> {
    return this.#handle.ended;
  }

  /** True once its thread has ended. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Lets its thread end once the test's code has finished what it began. */
  async leave(): Promise<void> {
    this.#listener = null;
    this.onUnhandledError = () => undefined;
    await this.#handle.leave();
  }

  /** Ends its thread at once. */
  async close(): Promise<void> {
    await this.#handle.terminate();
  }

  async #stage(
    stage: "setup" | "teardown",
    request: ToDefinitionWorker,
    timeoutMs: number,
    interrupted: Promise<void>,
  ): Promise<StageOutcome> {
    const reply = this.#next(stage);
    this.#handle.send(request);
    const message = await this.#inTime(stage, reply, timeoutMs, interrupted);
    if (message.type === "setupDone") return { data: message.data };
    if (message.type === "teardownDone") return { data: undefined };
    return { failure: failureOf(message, stage) };
  }

  /** Resolves to the reply, or to a failure if it does not come in time or the user interrupts. */
  async #inTime(
    stage: Stage,
    reply: Promise<FromDefinitionWorker>,
    timeoutMs: number,
    interrupted: Promise<void>,
  ): Promise<FromDefinitionWorker> {
    const answer = Promise.race([reply, interrupted.then(() => "interrupted" as const)]);
    const message = await awaitUntil(this.#clock, this.#clock.now() + timeoutMs, answer);
    if (message !== null && message !== "interrupted") return message;
    if (stage === "setup" || stage === "teardown") this.#handle.send({ type: "cutOff" });
    const tooLong =
      stage === "module"
        ? `it had not finished loading after ${timeoutMs} ms, as with a top-level await that does not settle, or an endless loop`
        : `it was still running after ${timeoutMs} ms; see ${stage}Timeout`;
    const why = message === null ? tooLong : "it was interrupted";
    return { type: "threw", stage, thrown: { message: this.#mask.hide(why), position: null } };
  }

  /**
   * Resolves to the worker's reply about this stage. Late replies about others are ignored; the worker's end
   * counts as a reply.
   */
  async #next(stage: Stage): Promise<FromDefinitionWorker> {
    const reply = new Promise<FromDefinitionWorker>((resolve) => {
      this.#listener = (message) => {
        if (stageOf(message) === stage) resolve(message);
      };
    });
    const ended = this.#handle.ended.then(({ error, exitCode }): FromDefinitionWorker => {
      const message =
        error === null ? `${stage} ended its worker with process.exit(${exitCode})` : error.message;
      return { type: "threw", stage, thrown: { message: this.#mask.hide(message), position: null } };
    });
    return Promise.race([reply, ended]);
  }
}

function failureOf(message: FromDefinitionWorker, stage: StageFailure["stage"]): StageFailure {
  if (message.type === "threw") return { stage, thrown: message.thrown };
  throw unexpected(message, stage);
}

function unexpected({ type }: FromDefinitionWorker, stage: Stage): TypeError {
  return new TypeError(`the definition worker answered ${stage} with ${type}`);
}

/** Returns the stage that a message reports about; null for none. */
function stageOf(message: FromDefinitionWorker): Stage | null {
  switch (message.type) {
    case "described":
    case "invalid":
      return "module";
    case "setupDone":
      return "setup";
    case "teardownDone":
      return "teardown";
    case "summarized":
      return "summary";
    case "threw":
      return message.stage;
    case "secrets":
    case "dataSecrets":
    case "unmeasured":
    case "oddities":
    case "unhandledError":
    case "log":
      return null;
  }
}
