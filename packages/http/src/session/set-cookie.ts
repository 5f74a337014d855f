/** A `set-cookie` line. If an attribute comes twice, the last one counts. */
export interface SetCookie {
  readonly name: string;
  readonly value: string;
  /** In lower case, without a leading dot; null without the attribute. */
  readonly domain: string | null;
  /** Null if the path follows from the address. */
  readonly path: string | null;
  readonly isSecure: boolean;
  readonly maxAgeS: number | null;
  /** The dates as text: the last valid one counts. */
  readonly expires: readonly string[];
}

/** Browsers drop a cookie whose name and value are longer, and an attribute whose value is longer. */
const maxPairBytes = 4096;
const maxAttributeBytes = 1024;

/** Matches control characters except tabs. */
const control = /[^\t\x20-\x7e\x80-\u{10ffff}]/u;

/** Parses a `set-cookie` line like browsers (RFC 6265bis, section 5.6), or returns why they reject it. */
export function readSetCookie(line: string): SetCookie | Error {
  if (control.test(line)) return new Error("it has a control character");
  const [pair = "", ...attributes] = line.split(";");
  const { name, value } = splitPair(pair);
  if (name + value === "") return new Error("it has neither a name nor a value");
  if (name.length + value.length > maxPairBytes) {
    return new Error(`name and value are longer than ${maxPairBytes} bytes`);
  }
  const read = { name, value, ...withoutAttributes, expires: [] };
  for (const attribute of attributes) readAttribute(attribute, read);
  return read;
}

type Mutable = { -readonly [key in keyof SetCookie]: SetCookie[key] } & { readonly expires: string[] };

const withoutAttributes = { domain: null, path: null, isSecure: false, maxAgeS: null };

/** Splits name and value. Without "=", the whole text is the value. */
function splitPair(pair: string): { readonly name: string; readonly value: string } {
  const equals = pair.indexOf("=");
  return { name: stripped(pair.slice(0, Math.max(0, equals))), value: stripped(pair.slice(equals + 1)) };
}

function readAttribute(attribute: string, read: Mutable): void {
  const equals = attribute.indexOf("=");
  const name = stripped(equals < 0 ? attribute : attribute.slice(0, equals)).toLowerCase();
  const value = equals < 0 ? "" : stripped(attribute.slice(equals + 1));
  if (value.length > maxAttributeBytes) return;
  switch (name) {
    case "domain":
      read.domain = value.replace(/^\./, "").toLowerCase() || null;
      break;
    case "path":
      read.path = value.startsWith("/") ? value : null;
      break;
    case "secure":
      read.isSecure = true;
      break;
    case "max-age":
      if (/^-?\d+$/.test(value)) read.maxAgeS = Number(value);
      break;
    case "expires":
      read.expires.push(value);
      break;
    default:
  }
}

/** Removes spaces and tabs around a text. `trim` would also remove bytes that look like Unicode spaces. */
function stripped(text: string): string {
  let [first, last] = [0, text.length];
  while (first < last && isSpace(text.charCodeAt(first))) first++;
  while (last > first && isSpace(text.charCodeAt(last - 1))) last--;
  return text.slice(first, last);
}

function isSpace(character: number): boolean {
  return character === 0x20 || character === 0x09;
}
