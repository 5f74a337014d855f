import { StopSignal } from "@bearhug/sdk";

import type { Engine } from "./engine.ts";
import { describeThrown } from "./stack-position.ts";

type WithErrors = Pick<Engine, "errors">;

/** Rejections and exceptions that no iteration awaited: counted at their line instead of ending the worker. */
export function catchStrays(
  engine: Pick<Engine, "clock" | "bundlePath" | "startedAtMs"> &
    WithErrors & { readonly warmup: WithErrors | null },
): () => void {
  const count =
    (code: "UNHANDLED_REJECTION" | "UNCAUGHT_EXCEPTION") =>
    (error: unknown): void => {
      // Requests that nobody awaited are interrupted like others: that is no fault of the test's.
      if (StopSignal.isStopSignal(error)) return;
      const { message, position } = describeThrown(error, engine.bundlePath);
      const sinceMs = engine.clock.now() - engine.startedAtMs;
      const { errors } = sinceMs < 0 && engine.warmup !== null ? engine.warmup : engine;
      // Without a warm-up the load is said to start a moment before it does: what comes then was at its very start.
      const firstAtMs = Math.max(0, sinceMs);
      errors.add({ code, cause: null, message, name: "(outside an iteration)", firstAtMs, position });
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
