import type { Clock } from "./clock.ts";

/** Calls back once in every period, the first time after one; ended by the function that it returns. */
export function every(clock: Clock, periodMs: number, callback: () => void): () => void {
  let cancel: () => void = () => undefined;
  const arm = (): void => {
    cancel = clock.at(clock.now() + periodMs, () => {
      arm();
      callback();
    });
  };
  arm();
  return () => {
    cancel();
  };
}
