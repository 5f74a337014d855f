import { encodeSegment, parsePairs, parsePath, percentDecode } from "../parse-pairs.ts";
import { isLoginPhone, isPasswordBeside } from "../secrets/login-fields.ts";
import { isBuiltPath, isTokenSegment } from "../secrets/path-tokens.ts";
import { textOf } from "../value.ts";
import type { Redactor } from "./redactor.ts";

/** Scheme and host; path; query; fragment. */
const address = /^([a-z][a-z\d+.-]{0,30}:\/\/[^/?#\\]*)?([^?#]*)(\?[^#]*)?(#.*)?$/is;

/** Redacts an address as written. Without secrets, not a character is changed. */
export function redactUrl(url: string, redactor: Redactor): string {
  if (/^(data|blob|javascript|about):/i.test(url)) return `${url.slice(0, url.indexOf(":"))}:`;
  if (/^file:/i.test(url)) return "file:///";
  const [, host = "", path = "", query = "", fragment = ""] = address.exec(url) ?? ["", "", url];
  const mayBeRandom = isBuiltPath(path.split("/"));
  const at = host.lastIndexOf("@");
  const shownHost = at < 0 ? host : redactUserInfo(host.slice(0, at), redactor) + host.slice(at);
  const shownQuery = query === "" ? "" : `?${redactPairs(query.slice(1), redactor, mayBeRandom)}`;
  const shownFragment = fragment === "" ? "" : `#${redactPairs(fragment.slice(1), redactor, mayBeRandom)}`;
  const shown = shownHost + redactPath(path, redactor, mayBeRandom) + shownQuery + shownFragment;
  // If this is not an address, a secret may span its apparent parts.
  return redactRest(shown, redactor, mayBeRandom);
}

/**
 * Redacts `https://joe:secret`, which identifies a user. A user name may be a word of a path, such as
 * `admin`: only the password is a secret everywhere.
 */
function redactUserInfo(written: string, redactor: Redactor): string {
  const start = written.indexOf("//") + 2;
  const [user = "", ...password] = written.slice(start).split(":").map(percentDecode);
  const shown = [
    redactor.whole(user),
    ...password.map((part) => (part === "" ? "" : redactor.wholeEverywhere(part))),
  ];
  return written.slice(0, start) + shown.map(encodeURIComponent).join(":");
}

/** Redacts `a=b&c` of a query or form. Names may be secrets, too. */
export function redactPairs(written: string, redactor: Redactor, mayBeRandom = false): string {
  const pairs = parsePairs(written);
  const names = pairs.map(({ name }) => name);
  return pairs
    .map((atom) => {
      const name = redactor.text(atom.name, "", { mayBeRandom });
      const value = textOf(atom);
      const shown = redactField(atom.name, value, names, redactor, mayBeRandom);
      if (name === atom.name && shown === value) return redactRest(atom.written ?? "", redactor, mayBeRandom);
      const hasName = atom.written?.includes("=") === true;
      return hasName ? `${encodeURIComponent(name)}=${encodeURIComponent(shown)}` : encodeURIComponent(shown);
    })
    .join("&");
}

/** Redacts the value of a field, given the names of the fields beside it. */
export function redactField(
  name: string,
  value: string,
  names: readonly string[],
  redactor: Redactor,
  mayBeRandom = false,
): string {
  const isWhole = isLoginPhone(name, value, names) || isPasswordBeside(name, value, names);
  return isWhole ? redactor.wholeEverywhere(value) : redactor.text(value, name, { mayBeRandom });
}

function redactPath(path: string, redactor: Redactor, mayBeRandom: boolean): string {
  const lead = path.startsWith("/") ? "/" : "";
  const segments = parsePath(lead === "" ? `/${path}` : path).map((atom) => {
    const text = textOf(atom);
    const shown = isTokenSegment(text, atom.name)
      ? redactor.wholeEverywhere(text)
      : redactor.text(text, "", { mayBeRandom });
    return shown === text ? redactRest(atom.written ?? "", redactor, mayBeRandom) : encodeSegment(shown);
  });
  return lead + segments.join("/");
}

/** Redacts the written form as well: decoding it again may reveal a secret. */
function redactRest(written: string, redactor: Redactor, mayBeRandom: boolean): string {
  return redactor.text(written, "", { mayBeRandom });
}
