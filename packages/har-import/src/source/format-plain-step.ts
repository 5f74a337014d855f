/** Prettier's, and how deep the visit stands in a test: in the function of a scenario. */
const lineLength = 80;
const outerIndent = 8;
const innerIndent = 10;

/** A text that prettier leaves as it is: nothing in it is escaped, and each character has one column. */
const text = '"[ !#-&(-[\\]-~]*"';
const opening = new RegExp(`^await (?:page|group)\\(${text}, async \\(\\) => \\{$`);
const request = `await http\\.\\w+\\(${text}\\)`;
const status = "statusIs\\(\\d+(?:, \\d+)*\\)";
const statement = new RegExp(`^(?:${request}|check\\(${request}, ${status}\\)|await sleep\\(${text}\\));$`);
const thought = new RegExp(`^await think\\(${text}\\);$`);

/**
 * A step of the plainest requests, as prettier has it, but without prettier, which takes a millisecond for each request;
 * null where a line is not of the few kinds that are known to stay as they are. A capture of many small entries consists
 * of such steps.
 */
export function formatPlainStep(code: string): string | null {
  const [first = "", ...lines] = code.split("\n");
  const end = lines.indexOf("});");
  const rest = lines.slice(end + 1);
  if (end < 0 || !isPlain(first, opening, outerIndent) || !isThought(rest)) return null;
  const inner = indentStatements(lines.slice(0, end));
  if (inner === null) return null;
  return [
    indent(first, outerIndent),
    ...inner,
    ...["});", ...rest].map((line) => indent(line, outerIndent)),
  ].join("\n");
}

/** At most one blank line between two statements, and none at the edges. */
function indentStatements(lines: readonly string[]): string[] | null {
  const written: string[] = [];
  let isApart = false;
  for (const line of lines) {
    if (line === "") {
      isApart = written.length > 0;
      continue;
    }
    if (!isPlain(line, statement, innerIndent)) return null;
    if (isApart) written.push("");
    written.push(indent(line, innerIndent));
    isApart = false;
  }
  return written.length === 0 ? null : written;
}

function isThought(rest: readonly string[]): boolean {
  const [blank, line = "", ...others] = rest;
  if (blank === undefined) return true;
  return blank === "" && others.length === 0 && isPlain(line, thought, outerIndent);
}

function isPlain(line: string, kind: RegExp, columns: number): boolean {
  return line.length + columns <= lineLength && kind.test(line);
}

function indent(line: string, columns: number): string {
  return line === "" ? "" : " ".repeat(columns) + line;
}
