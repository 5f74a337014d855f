import { isIdentifier } from "@bearhug/text/identifier";
import { tryJson } from "@bearhug/text/try-json";
import { percentDecode } from "../parse-pairs.ts";
import { isDistinctive, isUuid } from "../secrets/random-text.ts";
import { looksSecret } from "../secrets/secret-looks.ts";
import { UniqueNames } from "../unique-names.ts";
import { lastOf, type Visit } from "../visit.ts";
import type { StepDraft } from "./split-steps.ts";

const maxCharacters = 60;
const maxMethod = 12;
/** The name of a site's root. */
const home = "home";
/** A UUID or a hash: not readable, even if it is not secret. */
const idWord = /^([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|(?=[a-f]*\d)[\da-f]{24,})$/i;
/** Titles that browsers and recorders give to a page without one. */
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
 * Names each step: a page by its title or its document's path, a group of calls by its first request. Names
 * are unique and have only letters, digits and ` . _ / -`, so that they need no quotes in a threshold's key,
 * a table or a file.
 */
export function nameSteps(steps: readonly StepDraft[]): string[] {
  const names = new UniqueNames({ separator: " " });
  return steps.map(({ title, documents, visits }) => {
    const wanted =
      nameFromTitle(title) ?? (documents > 0 ? nameOfPage(visits[documents - 1]) : nameOfCall(visits[0]));
    return names.take(wanted);
  });
}

/** Names a page after the document that was finally shown, not after a redirect to it. */
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

function nameFromTitle(written: string): string | null {
  // Recorders use the address as the title of a page without one, and some encode it.
  const title = percentDecode(written);
  const whole = URL.parse(title.trim());
  if (whole !== null && !/\s/.test(title.trim())) return null;
  const words = title.replace(/https?:\/\/\S+/gi, (address) => {
    const url = URL.parse(address);
    return url === null ? "" : nameFromUrl(url);
  });
  const name = clean(words);
  return emptyTitles.has(name.toLowerCase()) ? null : name;
}

/** `/wiki/Main_Page?a=b` → `wiki/Main_Page`; `/orders/7/edit` → `orders/id/edit`; `/` → `home`. */
function nameFromUrl(url: URL): string {
  return (
    clean(readablePath(url))
      .replace(/ ?(\/ ?)+/g, "/")
      .replace(/^\/+|\/+$/g, "") || home
  );
}

/** Keeps readable text, without e-mail addresses and random words, cut at the end of a word. */
function clean(text: string): string {
  const words = text
    .normalize("NFC")
    .split(/\s+/)
    .map((word) => (/.@./.test(word) || idWord.test(word) || looksSecret(word) ? "" : word))
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

const isName = /^[_A-Za-z]\w{0,39}$/;

/** Returns the operation name of a GraphQL request, whose address is not specific; null if it has none. */
function operationNameOf({ entry, url }: Visit): string | null {
  const { postData } = entry.request;
  const name =
    postData === null || postData.isBase64
      ? url.searchParams.get("operationName")
      : nameInJson(postData.text);
  return typeof name === "string" && isName.test(name) && !looksSecret(name) ? name : null;
}

function nameInJson(text: string): unknown {
  if (!text.includes('"operationName"')) return null;
  const body = tryJson(text);
  return typeof body === "object" && body !== null && "operationName" in body ? body.operationName : null;
}

/** Replaces an id of the recording, which differs in other visits. */
const id = "id";
/** A number of at least five digits after a few letters (`ORD-77123`): an id, not a word. */
const isNumbered = /^[a-z]{0,6}[-_]?\d{5,}$/i;
const isHash = /^(?:[a-z]{1,6}[-_])?(?=[a-f]*\d+[a-f])[\da-f]{8,}$/i;
const isEmail = /.@./;
/** A file's extension is kept even if its name is an id. */
const ending = /\.[a-z]{2,4}$/;

/** Returns a path in words, with ids of the recording as `id`: `/orders/7/edit` → `orders / id / edit`. */
function readablePath({ pathname }: URL): string {
  return pathname.split("/").map(readable).join(" / ");
}

function readable(segment: string): string {
  // Parameters after a semicolon belong to a single visitor: `list.do;jsessionid=…`.
  const text = percentDecode(segment).split(";", 1).join("");
  const kind = ending.exec(text)?.[0] ?? "";
  const name = text.slice(0, text.length - kind.length);
  if (isEmail.test(text) || isIdentifier(text)) return id;
  if (isId(name)) return id + kind;
  return isId(text) ? id : text;
}

function isId(text: string): boolean {
  if (isUuid(text) || isNumbered.test(text) || isHash.test(text)) return true;
  return isDistinctive(text) || looksSecret(text);
}
