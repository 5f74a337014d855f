import { looksSecret } from "../secrets/secret-values.ts";
import { findDocument } from "./document.ts";
import type { PageGroup } from "./group-by-page.ts";

const maxCharacters = 60;
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
 * A name for each page, from its title, else from its document's path. Unique, and made of letters, digits and
 * ` . _ / -` alone, so that it can stand in a threshold's key, a table or a file without quoting.
 */
export function namePages(groups: readonly PageGroup[]): string[] {
  const taken = new Set<string>();
  return groups.map(({ title, visits }) => {
    const wanted = nameFromTitle(title) ?? nameFromUrl(findDocument(visits)?.url) ?? "page";
    let name = wanted;
    for (let repeat = 2; taken.has(name); repeat++) name = `${wanted} ${repeat}`;
    taken.add(name);
    return name;
  });
}

function nameFromTitle(title: string): string | null {
  const whole = URL.parse(title.trim());
  if (whole !== null && !/\s/.test(title.trim())) return null;
  const words = title.replace(/https?:\/\/\S+/gi, (address) => nameFromUrl(URL.parse(address)) ?? "");
  const name = clean(words);
  return emptyTitles.has(name.toLowerCase()) ? null : name;
}

/** `/wiki/Main_Page?a=b` → `wiki/Main_Page`; `/` → `home`. */
function nameFromUrl(url: URL | null | undefined): string | null {
  if (url === null || url === undefined) return null;
  const path = url.pathname.split("/").map(decode).join(" / ");
  return (
    clean(path)
      .replace(/ ?(\/ ?)+/g, "/")
      .replace(/^\/+|\/+$/g, "") || "home"
  );
}

/** Keeps what is readable, without e-mail addresses and random words, cut at a word's end. */
function clean(text: string): string {
  const words = text
    .normalize("NFC")
    .split(/\s+/)
    .map((word) => (/.@./.test(word) || looksSecret(word) ? "" : word))
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

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
