import type { ErrorOccurrence } from "@bearhug/metrics/error-log";
import { StopSignal, type Timings } from "@bearhug/sdk";
import { eachPhase } from "@bearhug/sdk/internal";
import { capName } from "@bearhug/text/cap-text";
import { foreignSentence } from "@bearhug/text/foreign-text";
import { asMasked, ownWords, type MaskedText } from "@bearhug/text/masked-text";

import type { RequestRow } from "../protocol/shared-accounting.ts";
import { readProperty, readThrown } from "../protocol/read-thrown.ts";
import {
  isLongWait,
  isOverdue,
  markCutOff,
  type ClientDependencies,
  type ExpiredGrace,
  type Ledger,
  type Place,
  type VirtualUser,
} from "./client.ts";

/** One operation, for the code that performs it. */
export interface Operation {
  /** Call this when the operation is on its way: one that fails before that had no connection. */
  readonly sent: () => void;
  /** Aborts when the run ends the operation. Close everything that it has open then. */
  readonly signal: AbortSignal;
}

type Ending<Result> =
  | { readonly kind: "answered"; readonly result: Result }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "unanswered"; readonly grace: ExpiredGrace }
  | { readonly kind: "interrupted" };

type OperationDependencies = Omit<ClientDependencies, "plan" | "folder" | "connections" | "isData" | "warn">;

/**
 * The operations of one VU's client, recorded in the same way as requests: exact counts, the four metrics
 * that the client's kind names for them, errors, back-off after failed connections, and their outcome at the
 * hard stop.
 */
export class Operations {
  readonly #vu: VirtualUser;
  readonly #dependencies: OperationDependencies;
  readonly #underWay = new Set<RunningOperation>();

  constructor(vu: VirtualUser, dependencies: OperationDependencies) {
    this.#vu = vu;
    this.#dependencies = dependencies;
  }

  /**
   * Performs one operation, under the name by which results group it. Resolves with the value that `perform`
   * returns, or with null if it throws: a failure of the target is data.
   * @throws {StopSignal} if the hard stop ended it
   */
  async run<Result>(
    name: string,
    perform: (operation: Operation) => Promise<Result>,
  ): Promise<Result | null> {
    if (this.#vu.isStopped) await this.#vu.refuse();
    const { clock, load, warmup, vuState, mask, kind } = this.#dependencies;
    const place = this.#vu.place();
    const separateLedger = place.isVuState === true ? vuState : place.isWarmup ? warmup : null;
    const ledger = separateLedger ?? load;
    const row = ledger.accounting.row(asMasked(capName(mask.hide(name))), kind.name);
    const latenessMs = this.#vu.takeLateness() ?? 0;
    const operation = new RunningOperation(row, clock.now(), latenessMs);
    this.#vu.onCall();
    this.#underWay.add(operation);
    const ending = await Promise.race([operation.perform(perform), operation.stopped]);
    this.#underWay.delete(operation);
    this.#count(operation, ending);
    this.#noteLost(operation, ending);
    if (ending.kind !== "interrupted") this.#record(operation, ending, place, ledger);
    this.#vu.onCallEnded();
    if (ending.kind === "interrupted" || ending.kind === "unanswered") throw new StopSignal();
    return ending.kind === "answered" ? ending.result : null;
  }

  /** Ends all operations. Returns true if one of them was never answered. */
  interrupt(grace: ExpiredGrace | null): boolean {
    const nowMs = this.#dependencies.clock.now();
    const unanswered = [...this.#underWay].filter((operation) => operation.stop(grace, nowMs));
    return unanswered.length > 0;
  }

  #count(operation: RunningOperation, { kind }: Ending<unknown>): void {
    const { row } = operation;
    if (kind === "answered") {
      operation.sent();
      row.succeeded();
    } else if (kind === "interrupted") row.interrupted();
    else row.failed();
    if (operation.isSent) this.#vu.onConnected();
    else if (kind === "failed") this.#vu.onConnectFailed();
  }

  #noteLost({ row, calledMs }: RunningOperation, { kind }: Ending<unknown>): void {
    if (kind === "answered" || kind === "interrupted") return;
    const endedMs = this.#dependencies.clock.now();
    if (kind === "unanswered" || isLongWait(endedMs - calledMs, row)) this.#vu.onTimeLost(calledMs, endedMs);
  }

  #record(
    { row, calledMs, latenessMs }: RunningOperation,
    ending: Ending<unknown>,
    place: Place,
    { errors, targets, samples }: Ledger,
  ): void {
    const { clock, kind, startedAtMs } = this.#dependencies;
    const endedMs = clock.now();
    const durationMs = endedMs - calledMs;
    const isAnswered = ending.kind === "answered";
    const isCutOff = ending.kind === "unanswered";
    if (isAnswered) row.longestWaitMs = Math.max(row.longestWaitMs, durationMs);
    if (isCutOff) markCutOff(place);
    const scenario = place.scope.tags["scenario"] ?? "";
    if (isAnswered) targets.succeeded(scenario, null, endedMs);
    else targets.failed(scenario, null);
    const series = place.scope.seriesWith({ name: row.name });
    series.counter(kind.roles.operations).add(1);
    series.rate(kind.roles.failed).add(!isAnswered);
    series.trend(kind.roles.duration).addMeasured(durationMs, isCutOff);
    series.trend(kind.roles.responseTime).addMeasured(durationMs + latenessMs, isCutOff);
    const fault = this.#faultOf(ending, row.name);
    if (samples?.takes(!isAnswered) === true) {
      const timings = wholeTimings(durationMs, durationMs + latenessMs);
      const sizes = { status: 0, bytesSent: 0, bytesReceived: 0 };
      const error = fault?.code ?? null;
      samples.record({ tags: series.tags, error, calledAt: calledMs, timings, ...sizes, traceId: null });
    }
    if (fault !== null)
      errors.add({ ...fault, name: row.name, firstAtMs: endedMs - startedAtMs(), position: null });
  }

  #faultOf(
    ending: Ending<unknown>,
    name: MaskedText,
  ): Pick<ErrorOccurrence, "code" | "cause" | "message"> | null {
    if (ending.kind === "unanswered") {
      const { option, graceMs } = ending.grace;
      const words = option === "gracefulStop" ? ownWords`gracefulStop` : ownWords`gracefulRampDown`;
      const message = ownWords`${name}: no response before ${words} (${graceMs} ms) ran out`;
      return { code: "UNANSWERED", cause: null, message };
    }
    if (ending.kind !== "failed") return null;
    const message = foreignSentence`${name}: ${readThrown(ending.error).reason}`.masked(
      this.#dependencies.mask,
    );
    return { code: codeOf(ending.error), cause: null, message };
  }
}

/** An operation from its call to its end, whichever comes first: an answer, a failure, or the hard stop. */
class RunningOperation implements Operation {
  readonly row: RequestRow;
  readonly calledMs: number;
  readonly latenessMs: number;
  isSent = false;
  /** Resolves at the hard stop. */
  readonly stopped: Promise<Ending<never>>;
  readonly #aborter = new AbortController();
  #stop: ((ending: Ending<never>) => void) | null = null;

  constructor(row: RequestRow, calledMs: number, latenessMs: number) {
    this.row = row;
    this.calledMs = calledMs;
    this.latenessMs = latenessMs;
    this.stopped = new Promise((resolve) => {
      this.#stop = resolve;
    });
    row.started();
  }

  get signal(): AbortSignal {
    return this.#aborter.signal;
  }

  readonly sent = (): void => {
    if (!this.isSent) this.row.sent();
    this.isSent = true;
  };

  async perform<Result>(perform: (operation: Operation) => Promise<Result>): Promise<Ending<Result>> {
    try {
      return { kind: "answered", result: await perform(this) };
    } catch (error) {
      return { kind: "failed", error };
    }
  }

  /** Returns true if the operation was never answered. */
  stop(grace: ExpiredGrace | null, nowMs: number): boolean {
    const isUnanswered = grace !== null && isOverdue(nowMs - this.calledMs, grace, this.row);
    this.#stop?.(isUnanswered ? { kind: "unanswered", grace } : { kind: "interrupted" });
    this.#aborter.abort(new StopSignal());
    return isUnanswered;
  }
}

/** Returns the times of an operation whose phases are unknown: all of it counts as waiting. */
function wholeTimings(duration: number, responseTime: number): Timings {
  return { ...eachPhase(() => 0), waiting: duration, duration, responseTime };
}

/** Returns the error's own code, such as `ECONNREFUSED`. */
function codeOf(error: unknown): string {
  const code = readProperty(error, "code");
  return typeof code === "string" && /^[A-Z][A-Z\d_]{1,63}$/.test(code) ? code : "FAILED";
}
