/** The names and values, in turn, of the header lines of a head whose lines are known to be well formed. */
export function headerLines(head: string): string[] {
  const lines: string[] = [];
  let lineStart = head.indexOf("\r\n") + 2;
  while (lineStart < head.length) {
    const colon = head.indexOf(":", lineStart);
    const lineEnd = head.indexOf("\r\n", colon);
    lines.push(head.slice(lineStart, colon), valueWithin(head, colon + 1, lineEnd));
    lineStart = lineEnd + 2;
  }
  return lines;
}

/**
 * A value without the spaces and tabs around it. Not `trim`: it would take bytes of the value for spaces of Unicode.
 * Nor a regular expression: a value of many spaces would hold a worker up for seconds.
 */
export function valueWithin(head: string, start: number, end: number): string {
  let [first, last] = [start, end];
  while (first < last && isSpace(head.charCodeAt(first))) first++;
  while (last > first && isSpace(head.charCodeAt(last - 1))) last--;
  return head.slice(first, last);
}

function isSpace(character: number): boolean {
  return character === 0x20 || character === 0x09;
}
