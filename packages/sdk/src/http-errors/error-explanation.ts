/** The explanation of an error code. Sentences are Markdown. */
export interface ErrorExplanation {
  /** One sentence that says what happened. */
  readonly summary: string;
  /** The usual causes. */
  readonly cause: string;
  /** How to fix it; options are named. */
  readonly remedy: string;
  /** The remedy in a few words, as the verdict shows it beside the code; absent if it takes more. */
  readonly hint?: string;
  /** The likely owner: the side that has to change. */
  readonly whose: "target" | "network" | "generator" | "test" | "proxy";
  /** True if virtual users lose time to it: they wait, or back off after it. */
  readonly losesTime?: boolean;
  /** For a limit of the load generator: what it ran out of and what to do, after the count of requests in its verdict. */
  readonly saturates?: string;
  /** The target processed the request: certainly not, possibly, or certainly. */
  readonly processed: "no" | "maybe" | "yes";
}
