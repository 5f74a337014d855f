import { isSecretName } from "@bearhug/sdk/internal";

/** Longer ones are no neighbours. */
const maxLength = 200;
/** Whose text calls what comes next by a name. That of other elements is a value. */
const label = /^(?:b|caption|dt|h\d|label|legend|strong|th)$/i;
/** Attributes that say what an element is. */
const naming = /^(?:class|for|id|itemprop|name|property|rel|role|type|data-testid)$/i;
const naturalName = /^[A-Za-z_][\w :.[\]-]*$/;

const attribute = /\s{0,3}([\w:-]+)\s{0,3}=\s{0,3}(?:"([^"]*)"|'([^']*)')(?=[\s/>])/y;
const tag = /<(\/?)([\w:-]*)/y;
const tagEnd = /\s{0,3}\/?>\s*/y;
/** A key of what holds the value: `config = {`, `"items":[{`. */
const outerKey = /["']?[\w.$-]+["']?\s{0,3}[:=]\s{0,3}[[{(]+\s*/y;
/** `"id": "`, `data-id='/orders/`, `(`, `token = `, `/orders/`, `?id=`: what the value is called, and how it begins. */
const ownName =
  /(?:["']?[\w.$-]+["']?\s{0,3}[:=(]\s{0,3})?[[({#]{0,3}["'`]?[\w./:%#-]*(?:\?[\w.-]+=|\?)?\s{0,3}$/y;
const word = /[A-Za-z][\w-]*[:,.#]?\s*|[[{(,;]\s*|\s+/y;

/**
 * Returns true if the text before a value names it and contains no other value, which might be anybody's password. Allowed
 * are tags, names, keys, a few words, and the beginning of the value itself.
 */
export function isHarmlessNeighbour(left: string): boolean {
  // JSON within a script's string.
  const text = left.replace(/\\{1,8}(?=["'])/g, "");
  if (text.length > maxLength) return false;
  let wordsAt: number | null = null;
  let at = 0;
  while (at < text.length) {
    const words = wordsAt === null ? "" : text.slice(wordsAt, at);
    if (match(ownName, text, at) !== null) return !hasSecretName(words);
    const read = readTag(text, at, words);
    if (read !== null) wordsAt = null;
    const next = read ?? match(outerKey, text, at)?.[0].length ?? match(word, text, at)?.[0].length ?? 0;
    if (next === 0) return false;
    if (read === null) wordsAt ??= at;
    at += next;
  }
  return true;
}

/** Returns the length of the tag or attribute at this place; null for none, 0 for one that contains a value. */
function readTag(text: string, at: number, words: string): number | null {
  const named = match(attribute, text, at);
  if (named !== null) {
    const [whole, name = "", double, single] = named;
    const isNaming = naming.test(name) && naturalName.test(double ?? single ?? "");
    return isNaming && words.trim() === "" ? whole.length : 0;
  }
  const opened = match(tag, text, at);
  if (opened !== null) {
    const [whole, slash = "", name = ""] = opened;
    const isAfterLabel = slash !== "" && label.test(name) && !hasSecretName(words);
    return words.trim() === "" || isAfterLabel ? whole.length : 0;
  }
  return match(tagEnd, text, at)?.[0].length ?? null;
}

/** Returns true if one of the words is the name of a secret: the text after it may be its value. */
function hasSecretName(words: string): boolean {
  return words.split(/[^\w-]+/).some(isSecretName);
}

function match(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}
