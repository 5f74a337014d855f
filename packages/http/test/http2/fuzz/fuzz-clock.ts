import type { Clock } from "@bearhug/plan/pacing/clock";

/** A clock that stands still; turns run when the test calls `runTurns`. */
export class FuzzClock implements Clock {
  #turns: (() => void)[] = [];

  now(): number {
    return 0;
  }

  latest(): number {
    return 0;
  }

  date(): Date {
    return new Date(0);
  }

  at(): () => void {
    return () => undefined;
  }

  nextTurn(callback: () => void): void {
    this.#turns.push(callback);
  }

  nap(): void {}

  runTurns(): void {
    while (this.#turns.length > 0) for (const turn of this.#turns.splice(0)) turn();
  }
}
