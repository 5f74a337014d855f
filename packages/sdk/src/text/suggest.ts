/**
 * A pattern of strings for which the editor offers examples.
 * `& Record<never, never>` keeps TypeScript from folding the examples into the pattern (`& {}` does not).
 */
export type Suggest<Pattern extends string, Example extends string> =
  | (Pattern & Record<never, never>)
  | Example;
