/**
 * Returns the nth text between two others, from 1: the shortest one each time; null where there is none. The search
 * for the next one begins behind the right text, so that equal texts, such as quotation marks, come in pairs.
 */
export function textBetween(text: string, left: string, right: string, nth: number): string | null {
  let from = 0;
  for (let count = 1; ; count++) {
    const first = text.indexOf(left, from);
    if (first < 0) return null;
    const end = text.indexOf(right, first + left.length);
    if (end < 0) return null;
    if (count === nth) {
      const nearest = text.lastIndexOf(left, end - left.length);
      return text.slice(nearest + left.length, end);
    }
    from = end + right.length;
  }
}
