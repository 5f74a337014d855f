import type { Candidate } from "./time-budget.ts";

/** What a round can be made of. */
export interface Repeatable extends Candidate {
  readonly label: string;
  /** Measures once more; returns what to tell about it. A failure is told and kept, never thrown. */
  repeat(): Promise<string>;
}

/** One measurement that is repeated, and what its rounds came to. */
export class Repeated<Of> implements Repeatable {
  readonly label: string;
  readonly rank: 0 | 1;
  readonly rounds: Of[] = [];
  readonly problems: string[] = [];
  costMs: number;
  readonly #measure: () => Promise<Of>;
  readonly #tell: (figures: Of) => string;

  constructor(options: {
    readonly label: string;
    readonly rank: 0 | 1;
    /** Expected, until it has been measured. */
    readonly costMs: number;
    readonly measure: () => Promise<Of>;
    readonly tell: (figures: Of) => string;
  }) {
    this.label = options.label;
    this.rank = options.rank;
    this.costMs = options.costMs;
    this.#measure = options.measure;
    this.#tell = options.tell;
  }

  get roundsDone(): number {
    return this.rounds.length + this.problems.length;
  }

  async repeat(): Promise<string> {
    const startedAtMs = performance.now();
    try {
      const figures = await this.#measure();
      this.rounds.push(figures);
      return this.#tell(figures);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.problems.push(problem);
      return `failed: ${problem}`;
    } finally {
      this.costMs = performance.now() - startedAtMs;
    }
  }
}
