import type { FailedExchange } from "@bearhug/sdk/result";
import { formatBytes } from "@bearhug/text/bytes";
import { headerValue } from "@bearhug/text/header-value";

/** A curl command that sends a request again. */
export interface CurlCommand {
  /** One line of printable ASCII, for bash and zsh. */
  readonly command: string;
  /**
   * The missing parts of the command and how to supply them, a sentence each: masked values, and bodies that
   * are not known.
   */
  readonly notes: readonly string[];
}

const masked = "***";
/** Marks the end of a truncated text. */
const ellipsis = "…";
const bodyFile = "request-body";

/** Headers that curl writes itself, and those that would add the new request to the trace of the failed one. */
const omitted = new Set([
  "accept-encoding",
  "content-length",
  "connection",
  "transfer-encoding",
  "traceparent",
  "tracestate",
]);
/** Variables that the shell sets itself: if one named a masked value, curl would send the shell's value. */
const shellVariables = new Set(
  "HOME IFS LANG OLDPWD PATH PS1 PWD RANDOM SECONDS SHELL TERM UID USER".split(" "),
);
/** Plain words need no quotes. zsh replaces a word that begins with "=" with the path of a command. */
const isPlain = /^(?!=)[\w@%+=:,./-]+$/;
/** Printable ASCII without a workflow command, which a CI runner would execute on reading the log. */
const canBeQuoted = /^(?!.*(?:##\[|(?:^|\s)::[a-z]))[\x20-\x7e]*$/i;

/**
 * Returns the command that sends a failed request again. Each masked value becomes a shell variable that is
 * named after its header, parameter or field.
 */
export function curlCommand({ method, url, protocol, request }: FailedExchange): CurlCommand {
  const variables = new Variables();
  const notes: string[] = [];
  const word = (text: string): string => wordOf(text, "", variables, "utf8");
  const { headers, body } = request;
  const truncated = headers.filter(([, value]) => value.endsWith(ellipsis)).map(([name]) => name);
  const sent = headers.filter(([name, value]) => !truncated.includes(name) && !isOmitted(name, value));
  const options = [
    method === "HEAD" ? "-I" : "-i",
    ...(method === "GET" || method === "HEAD" ? [] : ["-X", word(method)]),
    ...(protocol === "HTTP/2" && url.startsWith("http:") ? ["--http2-prior-knowledge"] : []),
    ...(/[[\]{}]/.test(url) ? ["-g"] : []),
    word(url),
    ...(headerValue(headers, "accept-encoding") !== undefined ? ["--compressed"] : []),
    ...sent.flatMap(([name, value]) => ["-H", wordOf(headerLine(name, value), name, variables, "latin1")]),
  ];
  if (body !== null) {
    const isCompressed = headerValue(headers, "content-encoding") !== undefined;
    // Without this, curl would declare the body to be a form.
    if (headerValue(headers, "content-type") === undefined) options.push("-H", "content-type:");
    if (body.isWhole && body.text !== null && !isCompressed) options.push("--data-raw", word(body.text));
    else {
      options.push("--data-binary", `@${bodyFile}`);
      const size = body.bytes === null ? "" : ` (${formatBytes(body.bytes)})`;
      notes.push(`Save the whole body${size} as ${bodyFile} first: the result has only part of it.`);
    }
  }
  if (variables.names.length > 0)
    notes.unshift(`Set ${variables.names.map((name) => `$${name}`).join(", ")} first: secrets are masked.`);
  if (truncated.length > 0)
    notes.push(`The command omits headers that are too long: ${truncated.join(", ")}.`);
  if (url.endsWith(ellipsis)) notes.push("The URL is incomplete: it is too long for the result.");
  return { command: ["curl", ...options].join(" "), notes };
}

/** Formats a header for curl. `name:` would remove the header, so an empty one is written `name;`. */
function headerLine(name: string, value: string): string {
  return value === "" ? `${name};` : `${name}: ${value}`;
}

function isOmitted(name: string, value: string): boolean {
  const lower = name.toLowerCase();
  if (lower === "user-agent") return value.startsWith("bearhug/");
  return omitted.has(lower);
}

/** The encoding of a text. In headers, each character is one byte. */
type Encoding = "utf8" | "latin1";

/** The variables that stand for masked values. */
class Variables {
  readonly names: string[] = [];

  /** Adds a variable and returns its name. `maskedName`: the header, parameter or field; empty if unknown. */
  next(maskedName: string): string {
    const plain = maskedName
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]+/g, "_")
      .replace(/^_+|_+$/g, "")
      .slice(0, 40);
    const isUsable = /^[A-Z]/.test(plain) && !shellVariables.has(plain);
    const name = isUsable ? plain : `SECRET${plain === "" ? "" : `_${plain}`}`;
    let free = name;
    for (let number = 2; this.names.includes(free); number++) free = `${name}_${number}`;
    this.names.push(free);
    return free;
  }
}

/** Quotes a text as one word of the command. `name` names its masked values where the text does not. */
function wordOf(text: string, name: string, variables: Variables, encoding: Encoding): string {
  const parts = text.split(masked);
  let before = "";
  return parts
    .map((part, index) => {
      before += part;
      const quoted = part === "" && parts.length > 1 ? "" : quote(part, encoding);
      if (index === parts.length - 1) return quoted;
      return `${quoted}"$${variables.next(nameBefore(before) ?? name)}"`;
    })
    .join("");
}

/** Returns the name of the parameter or field whose value would follow: `…&token=`, `…,"password":"`. */
function nameBefore(text: string): string | null {
  return /([A-Za-z][\w.-]{0,60})["'\]]{0,2}\s{0,2}[=:]\s{0,2}["']?$/.exec(text)?.[1] ?? null;
}

function quote(text: string, encoding: Encoding): string {
  if (isPlain.test(text)) return text;
  if (canBeQuoted.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  // Hexadecimal escapes: no terminal interprets them, and they mean the same bytes in every locale.
  const escaped = Array.from(Buffer.from(text, encoding), (byte) => {
    const character = String.fromCharCode(byte);
    return /^[\w @%+=,./{}"&?<>()-]$/.test(character)
      ? character
      : `\\x${byte.toString(16).padStart(2, "0")}`;
  });
  return `$'${escaped.join("")}'`;
}
