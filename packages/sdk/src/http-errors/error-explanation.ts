/** The explanation of an error code. Sentences are Markdown. */
export interface ErrorExplanation {
  /** What happened, in one sentence. */
  readonly summary: string;
  /** The usual causes. */
  readonly cause: string;
  /** How to fix it; options are called by their names. */
  readonly remedy: string;
  /** The likely owner: the side that has to change. */
  readonly whose: "target" | "network" | "generator" | "test" | "proxy";
  /** Whether the target may have processed the request. */
  readonly processed: "no" | "maybe" | "yes";
}
