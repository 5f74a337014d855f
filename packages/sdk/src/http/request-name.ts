import { capName } from "../text/cap-text.ts";
import { isIdentifier } from "./identifier.ts";

/**
 * The name that a request is grouped by where it is given none: its method and path, without query and fragment.
 * Segments of the path that are ids become `:id`, as in `GET /users/:id`: digits, UUIDs, 16 hexadecimal digits or more, and 12 letters
 * and digits or more that nobody reads as words, such as ULIDs. A file's name with an ending is none.
 * A name longer than 256 bytes of UTF-8 is cut as `capName` does.
 * `url`: a `URL`, an absolute address, or a path that begins with `/`, as it goes over the wire.
 */
export function requestName(method: string, url: string | { readonly pathname: string }): string {
  return capName(wholeRequestName(method, url));
}

/** The same before it is cut. `hasHost`: with the host of the absolute address, as in `GET api.example.com/users/:id`. */
export function wholeRequestName(
  method: string,
  url: string | { readonly pathname: string },
  hasHost = false,
): string {
  const path = typeof url === "string" ? pathOf(url) : url.pathname;
  const host = hasHost && typeof url === "string" ? (/^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? "") : "";
  const collapsed = path.split("/").map((segment) => (isIdentifier(segment) ? ":id" : segment));
  return `${method.toUpperCase()} ${host}${collapsed.join("/")}`;
}

function pathOf(url: string): string {
  const path = /^[^?#]*/.exec(url)?.[0] ?? "";
  if (path.startsWith("/")) return path;
  const afterOrigin = path.replace(/^[a-z][a-z\d+.-]*:\/\/[^/\\]*/i, "");
  return afterOrigin === "" ? "/" : afterOrigin;
}
