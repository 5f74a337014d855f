import type { Candidate } from "./time-budget.ts";

/** A measurement that a round can include. */
export interface Repeatable extends Candidate {
  readonly label: string;
  /**
   * Measures once more. Returns a description for the console. A failure is described and kept, never thrown.
   */
  repeat(): Promise<string>;
}

/** A repeated measurement, with the results of its rounds. */
export class Repeated<Of> implements Repeatable {
  readonly label: string;
  readonly rank: 0 | 1;
  readonly rounds: Of[] = [];
  readonly problems: string[] = [];
  costMs: number;
  readonly #measure: () => Promise<Of>;
  readonly #describe: (figures: Of) => string;

  constructor(options: {
    readonly label: string;
    readonly rank: 0 | 1;
    /** The expected duration of a round, until one has been measured. */
    readonly costMs: number;
    readonly measure: () => Promise<Of>;
    readonly describe: (figures: Of) => string;
  }) {
    this.label = options.label;
    this.rank = options.rank;
    this.costMs = options.costMs;
    this.#measure = options.measure;
    this.#describe = options.describe;
  }

  get roundsDone(): number {
    return this.rounds.length + this.problems.length;
  }

  async repeat(): Promise<string> {
    const startedAtMs = performance.now();
    try {
      const figures = await this.#measure();
      this.rounds.push(figures);
      return this.#describe(figures);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.problems.push(problem);
      return `failed: ${problem}`;
    } finally {
      this.costMs = performance.now() - startedAtMs;
    }
  }
}
