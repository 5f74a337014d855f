import { type Atom, textValue } from "./value.ts";

/** Parameters of a query or fields of a form as atoms: `a=b+c&d` → a: "b c", and "d" without a name. */
export function parsePairs(written: string): Atom[] {
  return written === "" ? [] : written.split("&").map(parsePair);
}

function parsePair(written: string): Atom {
  const equals = written.indexOf("=");
  const name = equals < 0 ? "" : decodePlus(written.slice(0, equals));
  return { name, value: textValue(decodePlus(written.slice(equals + 1))), written };
}

/** Segments of a path behind its first slash, each named after the one before it. */
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

/** Characters that browsers leave as they are in a segment of a path: `list.do;jsessionid=`. */
const plainInSegments = /%(?:24|26|2B|2C|3A|3B|3D|40)/g;

/** Percent-encodes a text for a segment of a path, no more than browsers do. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(plainInSegments, decodeURIComponent);
}

/** Percent-decodes a text. One with an invalid escape stays as it is. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
