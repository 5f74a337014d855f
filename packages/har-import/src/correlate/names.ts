import { splitWords } from "@bearhug/text/secrets/secret-names";
import { isDistinctive } from "../secrets/random-text.ts";
import { looksSecret } from "../secrets/secret-looks.ts";

/** Last words of the names of ids: `orderId`, `order_no`. */
const idWords = new Set(
  "id uuid guid key ref reference no nr num number code hash ticket cursor slug sku".split(" "),
);
/** Words without meaning of their own: `x-csrf-token` and `csrf` mean the same. */
const fillers = new Set(
  "x http token value field header param hidden input data meta my current new".split(" "),
);
const synonyms = new Map([
  ["xsrf", "csrf"],
  ["jwt", "token"],
  ["bearer", "token"],
]);

/** Returns the words of a name in lower case and in the singular: `accessTokens` → access, token. */
export function wordsOf(name: string): string[] {
  return splitWords(name).map((word) => {
    const singular = word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
    return synonyms.get(singular) ?? singular;
  });
}

/** Returns the words of a name without fillers, unless there are only fillers. */
export function meaningOf(name: string): string {
  const words = wordsOf(name);
  const meaning = words.filter((word) => !fillers.has(word));
  return (meaning.length > 0 ? meaning : words).join(" ");
}

/** Returns true for the name of an id: `orderId`. */
export function isIdName(name: string): boolean {
  return idWords.has(wordsOf(name).at(-1) ?? "");
}

/** Returns true for the name of a version or revision. */
export function isVersionName(name: string): boolean {
  return /^(version|rev|revision|seq|sequence|generation|lock)$/.test(wordsOf(name).at(-1) ?? "");
}

/** Names of parameters that say where a page of a list begins. */
const startOfPage =
  /^(?:after|before|cursor|from|marker|offset|page|search after|since|start|starting after)$/;

/**
 * Returns true if a response's value of one name is sent under the other to load the next page of a list:
 * `nextPageToken` and `page_token`, `endCursor` and `after`.
 */
export function isNextPage(name: string, sentName: string): boolean {
  const words = wordsOf(name);
  const sent = wordsOf(sentName);
  const isCursor = words.at(-1) === "cursor" || words.includes("continuation");
  if (isCursor && (startOfPage.test(sent.join(" ")) || sent.includes("continuation"))) return true;
  if (words[0] !== "next") return false;
  const rest = words.slice(1).join(" ");
  return rest === ""
    ? startOfPage.test(sent.join(" "))
    : rest === (sent[0] === "next" ? sent.slice(1) : sent).join(" ");
}

/** Returns the noun that an id belongs to: `orderId` → order; "" if the name has no such noun. */
export function ownerOf(name: string): string {
  const words = wordsOf(name);
  if (idWords.has(words.at(-1) ?? "")) words.pop();
  return words.at(-1) ?? "";
}

/** Returns true for the name of an access token. */
export function isTokenName(name: string): boolean {
  return wordsOf(name).some((word) => word === "token" || word === "auth" || word === "authorization");
}

const maxLength = 60;
const run = /[A-Za-z\d]{8,60}/g;
/**
 * Changes between small letters, capitals and digits that names do not have: `sess9Qx7`, but not
 * `level2Item3`.
 */
const change = /[a-z](?=[A-Z](?![a-z]{2})|\d)|[A-Z](?=[a-z](?![a-z])|\d)|\d(?=[A-Za-z])/g;
const minChangesPerCharacter = 0.4;

/**
 * Returns true if the response of the next run has the same key or name: it contains no id, e-mail address or
 * secret.
 */
export function isStableName(name: string): boolean {
  return (
    name !== "" &&
    name.length <= maxLength &&
    !/\d{4}|.@./.test(name) &&
    !isDistinctive(name) &&
    !hasShortId(name) &&
    !looksSecret(name)
  );
}

/** Returns true if a name contains a short id. */
export function hasShortId(name: string): boolean {
  return Array.from(name.matchAll(run), ([letters]) => letters).some(
    (letters) =>
      /\d/.test(letters) && (letters.match(change)?.length ?? 0) / letters.length >= minChangesPerCharacter,
  );
}
