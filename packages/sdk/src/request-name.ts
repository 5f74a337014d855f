const maxBytes = 400;
const ellipsis = "…";

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const digits = /^\d+$/;
const longHex = /^[\da-f]{16,}$/i;

/**
 * The name that a request is grouped by where it is given none: its method and path, without query and fragment.
 * Segments of the path that are digits, UUIDs or at least 16 hexadecimal digits become `:id`, as in `GET /users/:id`.
 * A name longer than 400 bytes of UTF-8 is cut between two characters and ends with `…`.
 * `url`: a `URL`, an absolute address, or a path that begins with `/`, as it goes over the wire.
 */
export function requestName(method: string, url: string | { readonly pathname: string }): string {
  const path = typeof url === "string" ? pathOf(url) : url.pathname;
  const collapsed = path.split("/").map((segment) => (isIdentifier(segment) ? ":id" : segment));
  return capRequestName(`${method.toUpperCase()} ${collapsed.join("/")}`);
}

function pathOf(url: string): string {
  const path = /^[^?#]*/.exec(url)?.[0] ?? "";
  if (path.startsWith("/")) return path;
  const afterOrigin = path.replace(/^[a-z][a-z\d+.-]*:\/\/[^/\\]*/i, "");
  return afterOrigin === "" ? "/" : afterOrigin;
}

function isIdentifier(segment: string): boolean {
  return digits.test(segment) || uuid.test(segment) || longHex.test(segment);
}

/** A name as it is reported: one longer than 400 bytes of UTF-8 is cut between two characters and ends with `…`. */
export function capRequestName(name: string): string {
  if (name.length * 3 <= maxBytes) return name;
  let bytes = 0;
  let kept = "";
  for (const character of name) {
    bytes += utf8Length(character);
    if (bytes > maxBytes) return `${kept}${ellipsis}`;
    if (bytes <= maxBytes - utf8Length(ellipsis)) kept += character;
  }
  return name;
}

/** Bytes of one character (code point) in UTF-8; a lone surrogate is written as U+FFFD, which has three. */
function utf8Length(character: string): number {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
