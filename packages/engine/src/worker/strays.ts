import type { ErrorLog, ErrorOccurrence } from "@bearhug/metrics/error-log";
import type { Ledger } from "@bearhug/plan/clients/client";
import { watchFaults } from "@bearhug/plan/protocol/own-faults";
import { systemClock } from "@bearhug/plan/pacing/clock";
import { readProperty, outsideIterations } from "@bearhug/plan/protocol/read-thrown";
import { told, type ForeignText } from "@bearhug/text/foreign-text";

import { isCausedByStop } from "./caused-by-stop.ts";
import { current, type Stray } from "./current.ts";
import type { Engine } from "./engine.ts";
import { isOwnThread } from "./own-thread.ts";
import { describeThrown } from "./stack-position.ts";
import { TestAborted } from "./test-aborted.ts";
import { callInWords, isPause, type WatchedCall } from "./watched-calls.ts";

type WithErrors = Pick<Ledger, "errors">;
type StrayEngine = Pick<Engine, "clock" | "mask" | "bundlePath" | "startedAtMs"> &
  WithErrors & { readonly warmup: WithErrors | null };

/** Describes something that no iteration awaited. */
interface StrayKind {
  readonly code: Stray["code"];
  /** The scenario; or that it is not known. */
  readonly name: string;
  /** Names the promise that was rejected; null if unknown. */
  readonly what: string | null;
  /** Those of the iteration, where it is known. */
  readonly errors?: ErrorLog;
}

/** Counts something that no iteration awaited at its line. */
export function noteStray(engine: StrayEngine, error: unknown, { what, ...kind }: StrayKind): void {
  const { message, position } = describeThrown(error, engine.bundlePath);
  const words = what === null ? message : told`${what}: ${message}`;
  note(engine, { words, position, ...kind });
}

/** Counts a call whose promise nobody awaited at its line. */
export function noteUnawaited(
  engine: StrayEngine,
  call: WatchedCall,
  of: Pick<Noted, "name" | "errors">,
): void {
  const { position } = describeThrown(call.at, engine.bundlePath);
  const written = callInWords(call);
  const effect = isPause(call)
    ? "so the iteration went on at once"
    : "so what follows it ran at the same time";
  note(engine, {
    code: isPause(call) ? "PAUSE_NOT_AWAITED" : "PAGE_NOT_AWAITED",
    position,
    ...of,
    words: told`${written} was not awaited, ${effect}: write await ${written}`,
  });
}

/** Counts a timer whose code did not run, at the line that set it. */
export function noteUnfired(engine: StrayEngine, at: Error, of: Pick<Noted, "name" | "errors">): void {
  const { position } = describeThrown(at, engine.bundlePath);
  note(engine, {
    code: "TIMER_NOT_FIRED",
    position,
    ...of,
    words: told`a timer had not fired when the run ended, so its code did not run: await sleep(…) in its place`,
  });
}

/** Counts an error of bearhug's own that the test caught. */
export function noteCaught(engine: StrayEngine, fault: Error, of: Pick<Noted, "name" | "errors">): void {
  const { message, position } = describeThrown(fault, engine.bundlePath);
  note(engine, {
    code: "CAUGHT_BY_TEST",
    position,
    words: told`${message} (the test caught this error)`,
    ...of,
  });
}

/** Leaves out the faults that are the error or one of its causes, because the error is listed itself. */
export function withoutCauses(faults: Error[] | null, error: unknown): Error[] | null {
  if (faults === null) return null;
  const messages = new Set<unknown>();
  let cause = error;
  for (let depth = 0; depth < mostCauses && cause !== undefined; depth++) {
    messages.add(readProperty(cause, "message"));
    cause = readProperty(cause, "cause");
  }
  return faults.filter(({ message }) => !messages.has(message));
}

/** Longer chains of causes are not followed: they may be circular. */
const mostCauses = 8;

interface Noted extends Pick<ErrorOccurrence, "code" | "name" | "position"> {
  readonly words: ForeignText;
  readonly errors?: ErrorLog;
}

function note(engine: StrayEngine, { words, errors, ...of }: Noted): void {
  const sinceMs = engine.clock.now() - engine.startedAtMs;
  const ledger = sinceMs < 0 && engine.warmup !== null ? engine.warmup : engine;
  // Without a warm-up the load is said to start a moment before it does: what comes then was at its very start.
  const firstAtMs = Math.max(0, sinceMs);
  (errors ?? ledger.errors).add({ ...of, cause: null, message: () => words.shown(engine.mask), firstAtMs });
}

/** True for what ends code on purpose: the hard stop's signal, or `abort`. Left unawaited, it is no fault of the test's. */
export function endsOnPurpose(error: unknown): boolean {
  return isCausedByStop(error) || TestAborted.isTestAborted(error);
}

/**
 * Rejections and exceptions that nobody awaited or caught: the iteration whose code made them fails. Where none is known,
 * they are counted at their line. None of them ends the worker.
 */
export function catchStrays(engine: StrayEngine): () => void {
  const noteOutside = ({ code, error }: Stray): void => {
    noteStray(engine, error, { code, name: outsideIterations, what: null });
  };
  const forgetFaults = watchFaults((fault) => {
    current.getStore()?.faulted?.(fault);
  });
  const take = (stray: Stray): void => {
    if (endsOnPurpose(stray.error)) return;
    const owner = current.getStore();
    if (owner?.strayed === undefined) noteOutside(stray);
    else owner.strayed(stray);
  };
  const forgets = [forgetFaults, listenFor("unhandledRejection", take), listenFor("uncaughtException", take)];
  held?.release().forEach(noteOutside);
  return () => {
    for (const forget of forgets) forget();
  };
}

/** Strays since the test was loaded in this thread; null before, and when its load worker counts for itself. */
let held: { readonly release: () => readonly Stray[] } | null = null;

/**
 * Holds what the code of the test throws before `catchStrays`, as an interval of its module does: how long that takes is up to
 * the machine, and no test should fail of it in another way. Called when the module has been loaded: what it throws meanwhile
 * is the reason why it cannot be loaded, and so is a promise that was rejected by then.
 */
export function holdStrays(): void {
  if (held !== null || !isOwnThread()) return;
  const strays: Stray[] = [];
  const hold = (stray: Stray): void => {
    strays.push(stray);
  };
  const forget = [listenFor("uncaughtException", hold)];
  systemClock.nextTurn(() => {
    if (held !== null) forget.push(listenFor("unhandledRejection", hold));
  });
  held = {
    release: () => {
      for (const one of forget) one();
      held = null;
      return strays;
    },
  };
}

const codes = {
  unhandledRejection: "UNHANDLED_REJECTION",
  uncaughtException: "UNCAUGHT_EXCEPTION",
} as const satisfies Record<string, Stray["code"]>;

function listenFor(event: keyof typeof codes, take: (stray: Stray) => void): () => void {
  const listener = (error: unknown): void => {
    take({ code: codes[event], error });
  };
  process.on(event, listener);
  return () => {
    process.off(event, listener);
  };
}
