/** A command that GitHub's runner reads from a line of a log. */
export interface WorkflowCommand {
  readonly command: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

/**
 * Reads a line as the runner does (actions/runner, src/Runner.Common/ActionCommand.cs): `::command a=b,c=d::data` at the
 * start of a line, and the older `##[command a=b;c=d]data` anywhere in it. Returns null for a line without a command.
 */
export function readCommand(line: string): WorkflowCommand | null {
  const text = line.trimStart();
  const end = text.indexOf("::", 2);
  if (text.startsWith("::") && end > 2) {
    const data = unescape(text.slice(end + 2), { "%0D": "\r", "%0A": "\n", "%25": "%" });
    return { ...readHead(text.slice(2, end), ","), data };
  }
  const old = line.indexOf("##[");
  const oldEnd = line.indexOf("]", old);
  if (old < 0 || oldEnd < 0) return null;
  return { ...readHead(line.slice(old + 3, oldEnd), ";"), data: line.slice(oldEnd + 1) };
}

function readHead(head: string, separator: string): Omit<WorkflowCommand, "data"> {
  const [, command = "", rest = ""] = /^(\S*) ?(.*)$/s.exec(head) ?? [];
  const pairs = rest.split(separator).flatMap((pair): [string, string][] => {
    const [, name, value] = /^\s*([^=]+)=(.+)$/s.exec(pair) ?? [];
    return name === undefined || value === undefined ? [] : [[name, unescape(value, properties)]];
  });
  return { command, properties: Object.fromEntries(pairs) };
}

const properties = { "%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ",", "%25": "%" };

/** Replaces one escape after the other, the percent sign last, as the runner does. */
function unescape(text: string, escapes: Readonly<Record<string, string>>): string {
  return Object.entries(escapes).reduce((read, [token, value]) => read.replaceAll(token, value), text);
}

/**
 * Reads text appended to `GITHUB_OUTPUT` as the runner does (src/Runner.Worker/FileCommandManager.cs): `name=value`, or
 * `name<<delimiter`, lines, and the delimiter alone on a line. @throws for a file that the runner rejects
 */
export function readOutputs(text: string): Record<string, string> {
  const lines = text.split("\n");
  const outputs: Record<string, string> = {};
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line === "") continue;
    const equals = line.indexOf("=");
    const heredoc = line.indexOf("<<");
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      outputs[line.slice(0, equals)] = line.slice(equals + 1);
      continue;
    }
    if (heredoc < 0) throw new Error(`Invalid format '${line}'`);
    const end = lines.indexOf(line.slice(heredoc + 2), at + 1);
    if (end < 0) throw new Error("Matching delimiter not found");
    outputs[line.slice(0, heredoc)] = lines.slice(at + 1, end).join("\n");
    at = end;
  }
  return outputs;
}
