/**
 * A copy of a text, of its own: engines keep the whole of a large text, such as an answer's body, for as long as something
 * that was cut out of it is kept.
 */
export function ownCopy(text: string): string {
  return ` ${text}`.slice(1);
}
