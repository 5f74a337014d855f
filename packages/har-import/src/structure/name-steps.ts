import { looksSecret } from "../secrets/secret-looks.ts";
import { UniqueNames } from "../unique-names.ts";
import type { Visit } from "../visit.ts";
import { operationNameOf } from "./operation-name.ts";
import { readablePath } from "./readable-path.ts";
import { lastOf } from "./redirect.ts";
import type { StepDraft } from "./step-draft.ts";

const maxCharacters = 60;
const maxMethod = 12;
/** What the root of a site is called. */
const home = "home";
/** A UUID or a hash: secret or not, nobody reads it. */
const isId = /^([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|(?=[a-f]*\d)[\da-f]{24,})$/i;
/** What browsers and recorders call a page that has no title yet. */
const emptyTitles = new Set([
  "",
  "new tab",
  "about blank",
  "about newtab",
  "untitled",
  "blank page",
  "null",
  "undefined",
]);

/**
 * A name for each step: a page's from its title, else from its document's path; of calls, their first request. Unique,
 * and made of letters, digits and ` . _ / -` alone, so that it can stand in a threshold's key, a table or a file without
 * quoting.
 */
export function nameSteps(steps: readonly StepDraft[]): string[] {
  const names = new UniqueNames({ separator: " " });
  return steps.map(({ title, documents, visits }) => {
    const wanted =
      nameFromTitle(title) ?? (documents > 0 ? nameOfPage(visits[documents - 1]) : nameOfCall(visits[0]));
    return names.take(wanted);
  });
}

/** What was finally shown gives the name, not what redirected to it. */
function nameOfPage(document: Visit | undefined): string {
  return document === undefined ? "page" : nameFromUrl(lastOf(document).url);
}

/** `POST /api/cart`; `GET /` for the root; `POST /graphql AddTask`. */
function nameOfCall(visit: Visit | undefined): string {
  if (visit === undefined) return "requests";
  const method = visit.entry.request.method
    .replace(/[^A-Za-z]+/g, "")
    .slice(0, maxMethod)
    .toUpperCase();
  const path = nameFromUrl(visit.url);
  const operation = operationNameOf(visit) ?? "";
  return `${method} /${path === home ? "" : path} ${operation}`.trim();
}

function nameFromTitle(title: string): string | null {
  const whole = URL.parse(title.trim());
  if (whole !== null && !/\s/.test(title.trim())) return null;
  const words = title.replace(/https?:\/\/\S+/gi, (address) => {
    const url = URL.parse(address);
    return url === null ? "" : nameFromUrl(url);
  });
  const name = clean(words);
  return emptyTitles.has(name.toLowerCase()) ? null : name;
}

/** `/wiki/Main_Page?a=b` → `wiki/Main_Page`; `/orders/757419/edit` → `orders/id/edit`; `/` → `home`. */
function nameFromUrl(url: URL): string {
  return (
    clean(readablePath(url))
      .replace(/ ?(\/ ?)+/g, "/")
      .replace(/^\/+|\/+$/g, "") || home
  );
}

/** Keeps what is readable, without e-mail addresses and random words, cut at a word's end. */
function clean(text: string): string {
  const words = text
    .normalize("NFC")
    .split(/\s+/)
    .map((word) => (/.@./.test(word) || isId.test(word) || looksSecret(word) ? "" : word))
    .join(" ")
    .replace(/[^\p{L}\p{N}\p{M} ._/-]+/gu, " ")
    .split(" ")
    .filter((word) => word !== "" && word !== "-");
  let name = "";
  for (const word of words) {
    if (name !== "" && name.length + word.length >= maxCharacters) break;
    name = `${name} ${word}`.trimStart();
  }
  return name.slice(0, maxCharacters).toWellFormed().replace("\u{fffd}", "").trim();
}
