import { type Atom, textValue } from "./value.ts";

/** Parses the parameters of a query or the fields of a form: `a=b+c&d` → a: "b c", and "d" without a name. */
export function parsePairs(written: string): Atom[] {
  return written === "" ? [] : written.split("&").map(parsePair);
}

function parsePair(written: string): Atom {
  const equals = written.indexOf("=");
  const name = equals < 0 ? "" : decodePlus(written.slice(0, equals));
  return { name, value: textValue(decodePlus(written.slice(equals + 1))), written };
}

/** Parses the segments after a path's first slash. Each atom is named after the segment before it. */
export function parsePath(pathname: string): Atom[] {
  let name = "";
  return pathname
    .slice(1)
    .split("/")
    .map((written) => {
      const text = percentDecode(written);
      const atom = { name, value: textValue(text), written };
      name = text;
      return atom;
    });
}

function decodePlus(text: string): string {
  return percentDecode(text.replaceAll("+", " "));
}

/** Escapes of characters that browsers do not escape in a path segment: `list.do;jsessionid=`. */
const plainInSegments = /%(?:24|26|2B|2C|3A|3B|3D|40)/g;

/** Percent-encodes a text for a path segment, escaping no more than browsers do. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(plainInSegments, decodeURIComponent);
}

/** Percent-decodes a text; returns it unchanged if it has an invalid escape. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
