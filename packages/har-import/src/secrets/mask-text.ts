import { isSecretName } from "@bearhug/text/secrets/secret-names";
import { mergeSpans, replaceSpans, type Span } from "@bearhug/text/secrets/span";
import { printable } from "../printable.ts";
import { isStaticFileName } from "../static-file.ts";
import { exampleEmail, findEmails } from "./emails.ts";
import type { KnownSecrets } from "./known-secrets.ts";
import { findPathTokens } from "./path-tokens.ts";
import { looksRandom } from "./random-text.ts";
import { findSecretLooks, looksSecret } from "./secret-looks.ts";
import { SeenTexts } from "./seen-texts.ts";

/** Replaces a secret where no variable can. */
export const masked = "***";

/** Masks known secrets and what looks secret in a text for people, and replaces e-mail addresses. */
export function maskText(text: string, known: KnownSecrets): string {
  const spans = mergeSpans([...known.find(text).map(asMasked), ...findByLooks(text)]);
  return spans.length === 0 ? text : replaceSpans(text, spans, ({ replacement }) => replacement);
}

const harmless = new SeenTexts();

/** Finds texts that look secret, known or not, and e-mail addresses. */
function findByLooks(text: string): Replaced[] {
  if (harmless.has(text)) return [];
  const found = [
    ...[...findSecretLooks(text), ...findPathTokens(text)].map(asMasked),
    ...findEmails(text).map((span) => ({ ...span, replacement: exampleEmail })),
  ];
  if (found.length === 0) harmless.add(text);
  return found;
}

interface Replaced extends Span {
  readonly replacement: string;
}

function asMasked({ start, end }: Span): Replaced {
  return { start, end, replacement: masked };
}

/**
 * Names that a person would give to a parameter, field or key (`@action`, too). A parameter of another form
 * without a value is itself a value (`app.css?1513901184`).
 */
const parameterName = /^(?:@[A-Za-z_][\w@-]{0,40}|[A-Za-z_*][\w.[\]-]{0,40})$/;

/** Returns the name of a parameter, field or key; masked if it is rather a value. */
export function showName(name: string): string {
  return parameterName.test(name) && !looksRandom(name) ? name : masked;
}

/**
 * Returns an address for printing: without user info and the content of `data:`, and with its secrets masked.
 */
export function showUrl(written: string): string {
  const url = URL.parse(written);
  if (url === null) return printable((written.split(/[?#;,]/)[0] ?? "").replace(/\/\/[^/]*@/, "//"), 80);
  if (url.host === "" || url.origin === "null")
    return printable(maskPath(url.href.split(/[?#;,]/)[0] ?? ""), 80);
  const query = showQuery(url.search, (name, value) => `=${isSecret(name, value) ? masked : value}`);
  return printable(`${url.protocol}//${url.host}${maskPath(url.pathname)}${query}`);
}

/** Masks what looks like a secret in a path, except in that of a static file. */
export function maskPath(path: string): string {
  if (isStaticFileName(path)) return path;
  return path
    .split("/")
    .map((segment) => maskSegment(segment))
    .join("/");
}

/** Masks what looks like a secret or identifies a person in a path segment, encoded or not. */
export function maskSegment(segment: string): string {
  const [name = "", ...matrix] = segment.split(";");
  const decoded = decode(name);
  const shown = /.@./.test(decoded) || looksSecret(decoded) ? masked : name;
  return [shown, ...matrix.map((parameter) => parameter.replace(/=.*/s, `=${masked}`))].join(";");
}

function showQuery(search: string, showValue: (name: string, value: string) => string): string {
  if (search.length < 2) return "";
  const parameters = search
    .slice(1)
    .split("&")
    .map((parameter) => {
      const equals = parameter.indexOf("=");
      const name = equals < 0 ? parameter : parameter.slice(0, equals);
      if (showName(decode(name)) === masked) return masked;
      return equals < 0 ? name : name + showValue(decode(name), parameter.slice(equals + 1));
    });
  return `?${parameters.join("&")}`;
}

function isSecret(name: string, value: string): boolean {
  const decoded = decode(value);
  return isSecretName(name) || looksSecret(decoded) || /.@./.test(decoded);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
