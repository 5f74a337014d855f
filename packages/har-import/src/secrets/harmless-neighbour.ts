import { isSecretName } from "@bearhug/text/secrets/secret-names";

/** Longer texts are not accepted as neighbours. */
const maxLength = 200;
/** Elements whose text names what follows. The text of other elements is a value. */
const label = /^(?:b|caption|dt|h\d|label|legend|strong|th)$/i;
/** Attributes that identify an element. */
const naming = /^(?:class|for|id|itemprop|name|property|rel|role|type|data-testid)$/i;
const naturalName = /^[A-Za-z_][\w :.[\]-]*$/;

const attribute = /\s{0,3}([\w:-]+)\s{0,3}=\s{0,3}(?:"([^"]*)"|'([^']*)')(?=[\s/>])/y;
const tag = /<(\/?)([\w:-]*)/y;
const tagEnd = /\s{0,3}\/?>\s*/y;
/** The key of an object or list around the value: `config = {`, `"items":[{`, `JSON.parse('{`. */
const outerKey = /["']?[\w.$-]+["']?\s{0,3}(?:[:=]\s{0,3}|\(["'`](?=[[{]))[[{(]+\s*/y;
/**
 * The value's own name, and its beginning: `"id": "`, `data-id='/orders/`, `(`, `token = `, `/orders/`,
 * `?id=`.
 */
const ownName =
  /(?:["']?[\w.$-]+["']?\s{0,3}[:=(]\s{0,3})?[[({#]{0,3}["'`]?[\w./:%#-]*(?:\?[\w.-]+=|\?)?\s{0,3}$/y;
/** The name of a hidden field in ASP.NET's response to a partial postback: `hiddenField|__VIEWSTATE|`. */
const hiddenField = /^hiddenField\|\w{1,60}\|$/;
const word = /[A-Za-z][\w-]*[:,.#]?\s*|[[{(,;]\s*|\s+/y;

/**
 * Returns true if the text before a value names it and contains no other value, which might be a password. It
 * may have tags, names, keys, a few words, and the beginning of the value itself.
 */
export function isHarmlessNeighbour(left: string): boolean {
  // Undoes the escapes of JSON within a script's string, and within an attribute.
  const text = left.replace(/\\{1,8}(?=["'])/g, "").replaceAll("&quot;", '"');
  if (text.length > maxLength) return false;
  if (hiddenField.test(text)) return true;
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
