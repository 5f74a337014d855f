import { parsePairs, parsePath } from "../parse-pairs.ts";
import { isTokenSegment } from "../secrets/path-tokens.ts";
import { isStaticFileName } from "../static-file.ts";
import { type Atom, knownText } from "../value.ts";
import type { Redactor } from "./redactor.ts";

/** Scheme and host; path; query; fragment. */
const address = /^([a-z][a-z\d+.-]{0,30}:\/\/[^/?#\\]*)?([^?#]*)(\?[^#]*)?(#.*)?$/is;

/** An address as written, without user info and secrets. Where nothing is secret, not a character is changed. */
export function redactUrl(url: string, redactor: Redactor): string {
  if (/^(data|blob|javascript|about):/i.test(url)) return `${url.slice(0, url.indexOf(":"))}:`;
  if (/^file:/i.test(url)) return "file:///";
  const [, host = "", path = "", query = "", fragment = ""] = address.exec(url) ?? ["", "", url];
  const mayBeRandom = isStaticFileName(path);
  const at = host.lastIndexOf("@");
  if (at >= 0) redactor.text(host.slice(0, at + 1).concat("host"));
  const shownHost = at < 0 ? host : host.replace(/\/\/.*@/s, "//");
  const shownQuery = query === "" ? "" : `?${redactPairs(query.slice(1), redactor, mayBeRandom)}`;
  const shownFragment = fragment === "" ? "" : `#${redactPairs(fragment.slice(1), redactor, mayBeRandom)}`;
  const shown = shownHost + redactPath(path, redactor, mayBeRandom) + shownQuery + shownFragment;
  // What is no address may have a secret across what would be its parts.
  return redactRest(shown, redactor, mayBeRandom);
}

/** `a=b&c`, of a query or form: names, too, may be secrets. */
export function redactPairs(written: string, redactor: Redactor, mayBeRandom = false): string {
  return parsePairs(written)
    .map((atom) => {
      const name = redactor.text(atom.name, "", { mayBeRandom });
      const value = textOf(atom);
      const shown = redactor.text(value, atom.name, { mayBeRandom });
      if (name === atom.name && shown === value) return redactRest(atom.written ?? "", redactor, mayBeRandom);
      const hasName = atom.written?.includes("=") === true;
      return hasName ? `${encodeURIComponent(name)}=${encodeURIComponent(shown)}` : encodeURIComponent(shown);
    })
    .join("&");
}

function redactPath(path: string, redactor: Redactor, mayBeRandom: boolean): string {
  const lead = path.startsWith("/") ? "/" : "";
  const segments = parsePath(lead === "" ? `/${path}` : path).map((atom) => {
    const text = textOf(atom);
    const shown = isTokenSegment(text, atom.name)
      ? redactor.wholeEverywhere(text)
      : redactor.text(text, "", { mayBeRandom });
    return shown === text ? redactRest(atom.written ?? "", redactor, mayBeRandom) : encodeURIComponent(shown);
  });
  return lead + segments.join("/");
}

/** Redacts the written form as well: decoding it again may reveal a secret. */
function redactRest(written: string, redactor: Redactor, mayBeRandom: boolean): string {
  return redactor.text(written, "", { mayBeRandom });
}

function textOf({ value }: Atom): string {
  return knownText(value) ?? "";
}
