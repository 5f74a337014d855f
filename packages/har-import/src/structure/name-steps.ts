import { isIdentifier } from "@bearhug/sdk/internal";
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
/** A UUID or a hash: secret or not, nobody reads it. */
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
  // Recorders give a page without a title its address, which some encode.
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

/** Keeps what is readable, without e-mail addresses and random words, cut at a word's end. */
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

/** Returns the operation name of a GraphQL request, whose address says nothing; null if it has none. */
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
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null && "operationName" in body ? body.operationName : null;
  } catch {
    return null;
  }
}

/** Replaces an id of the recording, which the next visit will not see. */
const id = "id";
/** A number behind a few letters (`ORD-77123`): of five digits on nobody knows it by heart. */
const isNumbered = /^[a-z]{0,6}[-_]?\d{5,}$/i;
const isHash = /^(?:[a-z]{1,6}[-_])?(?=[a-f]*\d+[a-f])[\da-f]{8,}$/i;
const isEmail = /.@./;
/** The kind of a file is worth reading, whatever it is called. */
const ending = /\.[a-z]{2,4}$/;

/** A path in words, ids of the recording as `id`: `/orders/7/edit` → `orders / id / edit`. */
function readablePath({ pathname }: URL): string {
  return pathname.split("/").map(readable).join(" / ");
}

function readable(segment: string): string {
  // Behind a semicolon is what belongs to a visitor: `list.do;jsessionid=…`.
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
