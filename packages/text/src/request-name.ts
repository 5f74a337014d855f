import { capName } from "./cap-text.ts";
import { isIdentifier } from "./identifier.ts";

/**
 * Returns the default name that requests are grouped by: method and path, without query and fragment.
 * Segments of the path that are ids become `:id`, as in `GET /users/:id`: digits, UUIDs, 16 hexadecimal
 * digits or more, and 12 letters and digits or more that do not look like words, such as ULIDs. A file name
 * with an extension is no id. `capName` shortens a name of more than 256 bytes of UTF-8.
 * `url`: a `URL`, an absolute address, or a path that begins with `/`, as it is sent.
 */
export function requestName(method: string, url: string | { readonly pathname: string }): string {
  return capName(uncutRequestName(method, url));
}

/**
 * Returns the name before it is shortened. `includesHost`: with the host of an absolute address, as in
 * `GET api.example.com/users/:id`.
 */
export function uncutRequestName(
  method: string,
  url: string | { readonly pathname: string },
  includesHost = false,
): string {
  const path = typeof url === "string" ? pathOf(url) : url.pathname;
  const host = includesHost && typeof url === "string" ? (/^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? "") : "";
  const collapsed = path.split("/").map((segment) => (isIdentifier(segment) ? ":id" : segment));
  return `${method.toUpperCase()} ${host}${collapsed.join("/")}`;
}

function pathOf(url: string): string {
  const path = /^[^?#]*/.exec(url)?.[0] ?? "";
  if (path.startsWith("/")) return path;
  const afterOrigin = path.replace(/^[a-z][a-z\d+.-]*:\/\/[^/\\]*/i, "");
  return afterOrigin === "" ? "/" : afterOrigin;
}
