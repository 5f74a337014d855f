import type { ErrorLog, ErrorOccurrence } from "@bearhug/metrics/error-log";
import type { Ledger } from "@bearhug/plan/clients/client";
import { watchFaults } from "@bearhug/plan/protocol/test-faults";
import { systemClock } from "@bearhug/plan/pacing/clock";
import { outsideIterations, readProperty, withCauses } from "@bearhug/plan/protocol/read-thrown";
import { foreignSentence, type ForeignText } from "@bearhug/text/foreign-text";

import { isCausedByStop } from "./caused-by-stop.ts";
import { current, type UnhandledError } from "./current.ts";
import type { Engine } from "./engine.ts";
import { isOwnThread } from "./dedicated-thread.ts";
import { isReportedExit } from "./exit-guard.ts";
import { describeThrown } from "./stack-position.ts";
import { TestAborted } from "./test-aborted.ts";
import { formatCall, isPause, type WatchedCall } from "./watched-calls.ts";

type WithErrors = Pick<Ledger, "errors">;
type ErrorReporting = Pick<Engine, "clock" | "mask" | "bundlePath" | "startedAtMs"> &
  WithErrors & { readonly warmup: WithErrors | null };

/** The origin of a mistake. */
export interface MistakeOrigin {
  /** The scenario, or a text for code outside iterations. */
  readonly name: string;
  /** The errors of the iteration's ledger, if the iteration is known. */
  readonly errors?: ErrorLog;
}

interface ErrorOrigin extends MistakeOrigin {
  readonly code: UnhandledError["code"];
  /** Describes the promise that was rejected; null if unknown. */
  readonly what: string | null;
}

/** Counts an unhandled error, by the line that threw it. */
export function noteUnhandledError(
  engine: ErrorReporting,
  error: unknown,
  { what, ...kind }: ErrorOrigin,
): void {
  const { message, position } = describeThrown(error, engine.bundlePath);
  const words = what === null ? message : foreignSentence`${what}: ${message}`;
  note(engine, { words, position, ...kind });
}

/** Counts a call whose promise was not awaited, by its line. */
export function noteUnawaited(engine: ErrorReporting, call: WatchedCall, origin: MistakeOrigin): void {
  const { position } = describeThrown(call.at, engine.bundlePath);
  const written = formatCall(call);
  const effect = isPause(call)
    ? "so the iteration went on at once"
    : "so what follows it ran at the same time";
  note(engine, {
    code: isPause(call) ? "PAUSE_NOT_AWAITED" : "PAGE_NOT_AWAITED",
    position,
    ...origin,
    words: foreignSentence`${written} was not awaited, ${effect}: write await ${written}`,
  });
}

/** Counts a timer whose code did not run, by the line that set it. */
export function noteUnfired(engine: ErrorReporting, at: Error, origin: MistakeOrigin): void {
  const { position } = describeThrown(at, engine.bundlePath);
  note(engine, {
    code: "TIMER_NOT_FIRED",
    position,
    ...origin,
    words: foreignSentence`a timer had not fired when the run ended, so its code did not run: await sleep(…) in its place`,
  });
}

/** Counts an error that bearhug threw and the test caught. */
export function noteCaught(engine: ErrorReporting, fault: Error, origin: MistakeOrigin): void {
  const { message, position } = describeThrown(fault, engine.bundlePath);
  note(engine, {
    code: "CAUGHT_BY_TEST",
    position,
    words: foreignSentence`${message} (the test caught this error)`,
    ...origin,
  });
}

/** Leaves out faults that are the error or one of its causes, because the error itself is listed. */
export function withoutCauses(faults: Error[] | null, error: unknown): Error[] | null {
  if (faults === null) return null;
  const messages = new Set(withCauses(error).map((cause) => readProperty(cause, "message")));
  return faults.filter(({ message }) => !messages.has(message));
}

interface Noted extends MistakeOrigin, Pick<ErrorOccurrence, "code" | "position"> {
  readonly words: ForeignText;
}

function note(engine: ErrorReporting, { words, errors, ...rest }: Noted): void {
  const sinceMs = engine.clock.now() - engine.startedAtMs;
  const ledger = sinceMs < 0 && engine.warmup !== null ? engine.warmup : engine;
  // Without a warm-up the announced start is slightly ahead: an error before it counts as at the start.
  const firstAtMs = Math.max(0, sinceMs);
  (errors ?? ledger.errors).add({
    ...rest,
    cause: null,
    message: () => words.masked(engine.mask),
    firstAtMs,
  });
}

/**
 * True for errors that end code on purpose: the hard stop's signal, `abort`, and `process.exit`, whose call is
 * reported. Not handling them is no mistake.
 */
export function endsOnPurpose(error: unknown): boolean {
  return isCausedByStop(error) || TestAborted.isTestAborted(error) || isReportedExit(error);
}

/**
 * Catches unhandled rejections and uncaught exceptions until the returned function is called. Each fails the
 * iteration whose code caused it. If that is unknown, it is counted by its line. None of them ends the
 * worker.
 */
export function catchUnhandledErrors(engine: ErrorReporting): () => void {
  const noteOutside = ({ code, error }: UnhandledError): void =>
    noteUnhandledError(engine, error, { code, name: outsideIterations, what: null });
  const stopWatchingFaults = watchFaults((fault) => {
    current.getStore()?.onFault?.(fault);
  });
  const take = (unhandled: UnhandledError): void => {
    if (endsOnPurpose(unhandled.error)) return;
    const owner = current.getStore();
    if (owner?.onUnhandledError === undefined) noteOutside(unhandled);
    else owner.onUnhandledError(unhandled);
  };
  const stops = [stopWatchingFaults, listenForUnhandledErrors(take)];
  held?.release().forEach(noteOutside);
  return () => {
    for (const stop of stops) stop();
  };
}

/**
 * Unhandled errors since the test was loaded in this thread; null before that, and once its load worker
 * counts them.
 */
let held: { readonly release: () => readonly UnhandledError[] } | null = null;

/**
 * Holds unhandled errors of the test's code until `catchUnhandledErrors` counts them. An interval of its
 * module may throw before that, and whether it does depends on the machine's speed, which must not change how
 * the test fails. Called when the module is loaded: an error before that, or a promise rejected by then, is
 * the reason why it cannot be loaded.
 */
export function holdUnhandledErrors(): void {
  if (held !== null || !isOwnThread()) return;
  const all: UnhandledError[] = [];
  const hold = (unhandled: UnhandledError): void => {
    all.push(unhandled);
  };
  const stops = [listenFor("uncaughtException", hold)];
  systemClock.nextTurn(() => {
    if (held !== null) stops.push(listenFor("unhandledRejection", hold));
  });
  held = {
    release: () => {
      for (const stop of stops) stop();
      held = null;
      return all;
    },
  };
}

type TakeUnhandled = (unhandled: UnhandledError) => void;

/** All that listen in this thread, oldest first. With `--workers 0`, several workers share it. */
const takers: TakeUnhandled[] = [];

/**
 * Passes on unhandled errors, which then do not end the thread, until the returned function is called. Of
 * several listeners, only the newest takes an error, so that it is counted once.
 */
export function listenForUnhandledErrors(take: TakeUnhandled): () => void {
  const takeIfNewest: TakeUnhandled = (unhandled) => {
    if (takers.at(-1) === takeIfNewest) take(unhandled);
  };
  takers.push(takeIfNewest);
  const stops = [listenFor("unhandledRejection", takeIfNewest), listenFor("uncaughtException", takeIfNewest)];
  return () => {
    for (const stop of stops) stop();
    const index = takers.indexOf(takeIfNewest);
    if (index !== -1) takers.splice(index, 1);
  };
}

const codes = {
  unhandledRejection: "UNHANDLED_REJECTION",
  uncaughtException: "UNCAUGHT_EXCEPTION",
} as const satisfies Record<string, UnhandledError["code"]>;

function listenFor(event: keyof typeof codes, take: TakeUnhandled): () => void {
  const listener = (error: unknown): void => take({ code: codes[event], error });
  process.on(event, listener);
  return () => {
    process.off(event, listener);
  };
}
