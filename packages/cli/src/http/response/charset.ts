/** The bytes that browsers search for a `<meta charset>` (HTML standard, "prescan a byte stream"). */
const prescannedBytes = 1024;

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
  const isHtml = type.trim() === "text/html";
  if (!isHtml && !/[/+]xml\s*$/.test(type)) return null;
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, prescannedBytes));
  const text = start.toString("latin1");
  const named = isHtml ? inMeta(text) : inXmlDeclaration(text);
  // A mark of UTF-16 that could be read as single bytes is not true (HTML standard, same place).
  return named?.startsWith("utf-16") === true ? "utf-8" : named;
}

function inMeta(text: string): string | null {
  const visible = text.replace(/<!--.*?(-->|$)/gs, "");
  for (const [tag] of visible.matchAll(/<meta[\s/][^>]*/gi)) {
    const named = known(/charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(tag)?.[1]);
    if (named !== null) return named;
  }
  return null;
}

function inXmlDeclaration(text: string): string | null {
  return known(/^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(text)?.[1]);
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
