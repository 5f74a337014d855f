import { told } from "../foreign-text.ts";
import type { Engine } from "./engine.ts";
import { isCausedByStop } from "./caused-by-stop.ts";
import { describeThrown } from "./stack-position.ts";

type WithErrors = Pick<Engine, "errors">;
type StrayEngine = Pick<Engine, "clock" | "mask" | "bundlePath" | "startedAtMs"> &
  WithErrors & { readonly warmup: WithErrors | null };

/** Describes something that no iteration awaited. */
interface StrayKind {
  readonly code: "UNHANDLED_REJECTION" | "UNCAUGHT_EXCEPTION";
  /** The scenario; or that it is not known. */
  readonly name: string;
  /** Names the promise that was rejected; null if unknown. */
  readonly what: string | null;
}

/** Counts something that no iteration awaited at its line. */
export function noteStray(engine: StrayEngine, error: unknown, { code, name, what }: StrayKind): void {
  // Requests that nobody awaited are interrupted like others: that is no fault of the test's.
  if (isCausedByStop(error)) return;
  const thrown = describeThrown(error, engine.bundlePath);
  const words = what === null ? thrown.message : told`${what}: ${thrown.message}`;
  const sinceMs = engine.clock.now() - engine.startedAtMs;
  const { errors } = sinceMs < 0 && engine.warmup !== null ? engine.warmup : engine;
  // Without a warm-up the load is said to start a moment before it does: what comes then was at its very start.
  const firstAtMs = Math.max(0, sinceMs);
  errors.add({
    code,
    cause: null,
    message: () => words.shown(engine.mask),
    name,
    firstAtMs,
    position: thrown.position,
  });
}

/** Rejections and exceptions that no iteration awaited: counted at their line instead of ending the worker. */
export function catchStrays(engine: StrayEngine): () => void {
  const count =
    (code: StrayKind["code"]) =>
    (error: unknown): void => {
      noteStray(engine, error, { code, name: "(outside an iteration)", what: null });
    };
  const rejected = count("UNHANDLED_REJECTION");
  const thrown = count("UNCAUGHT_EXCEPTION");
  process.on("unhandledRejection", rejected);
  process.on("uncaughtException", thrown);
  return () => {
    process.off("unhandledRejection", rejected);
    process.off("uncaughtException", thrown);
  };
}
