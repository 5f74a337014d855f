/** What a code of the errors table means, for people. Sentences are Markdown. */
export interface ErrorExplanation {
  /** What happened, in one sentence. */
  readonly summary: string;
  /** What it usually comes from. */
  readonly cause: string;
  /** What to do about it, options by their names. */
  readonly remedy: string;
  /** Who or what has to change. */
  readonly whose: "target" | "network" | "generator" | "test" | "proxy";
  /** Whether the target may have done what the request asked for. */
  readonly processed: "no" | "maybe" | "yes";
}
