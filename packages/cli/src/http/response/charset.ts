import sniffEncoding from "html-encoding-sniffer";

/** An XML declaration with an encoding fits into them, as into those in which browsers look for a `<meta charset>`. */
const declaredWithinBytes = 1024;

/**
 * The encoding of a text, as `TextDecoder` calls it: its byte order mark, else the charset of its content-type, else what
 * HTML or XML says of itself, else UTF-8. A charset that nobody knows is none.
 */
export function charsetOf(bytes: Uint8Array, contentType: string): string {
  return (
    byOrderMark(bytes) ??
    known(/;\s*charset\s*=\s*["']?([^"';,\s]+)/i.exec(contentType)?.[1]) ??
    byDocument(bytes, contentType) ??
    "utf-8"
  );
}

function byOrderMark([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return null;
}

function byDocument(bytes: Uint8Array, contentType: string): string | null {
  const [type = ""] = contentType.toLowerCase().split(";", 1);
  if (type.trim() === "text/html") return known(sniffEncoding(bytes, { defaultEncoding: "" }));
  return /[/+]xml\s*$/.test(type) ? inXmlDeclaration(bytes) : null;
}

function inXmlDeclaration(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, declaredWithinBytes));
  const declared = /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(text.toString("latin1"))?.[1];
  const named = known(declared);
  // Single bytes could be read, so UTF-16 is not true (HTML standard, "prescan a byte stream").
  return named?.startsWith("utf-16") === true ? "utf-8" : named;
}

/** The name under which `TextDecoder` knows a charset; null when it does not. */
function known(label: string | undefined): string | null {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
