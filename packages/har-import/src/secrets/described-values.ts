import type { NamedValue } from "@bearhug/text/secrets/named-values";
import { isOrdinaryWord } from "@bearhug/text/secrets/plain-words";
import { isPasswordName, isSecretName } from "@bearhug/text/secrets/secret-names";

const naming = /^(?:name|key|id|field|fieldname|label|param|parameter|prop|property|type|k|n)$/i;
const valued =
  /^(?:v|val|value|values|text|content|data|answer|raw|current|old|new|confirm|confirmation|input)$/i;
const natural = /^[\w.[\]: -]{1,64}$/;

/** Returns true for a key that holds the name of its sibling: `{"name":"password","value":"…"}`, also as XML attributes. */
export function isNamingKey(key: string): boolean {
  return naming.test(key);
}

/** Returns true for a key whose value is named by a sibling, or by the key around it: `{"password":{"value":"…"}}`. */
export function isValueKey(key: string): boolean {
  return valued.test(key);
}

/** Returns the name among others that makes their value secret; "" if none does. */
export function secretNameAmong(names: readonly string[]): string {
  return names.find((name) => natural.test(name) && isSecretName(name)) ?? "";
}

const cdata = /<(?:[\w.-]{1,64}:)?([\w.-]{1,64})(?:\s[^<>]{0,500})?>\s{0,20}<!\[CDATA\[([^\]]{1,4096})\]\]>/g;
/** A tag with attributes, and the text after it. */
const described = /<[\w.:-]{1,64}\s([^<>]{1,2000})>([^<>]{0,1000})/g;
const attribute = /(?<![\w-])([\w-]{1,40})\s{0,4}=\s{0,4}(?:"([^"]{1,1000})"|'([^']{1,1000})')/g;
/** A block string of GraphQL. */
const block = /(?<![\w.-])([\w-]{1,64})\s{0,8}[=:]\s{0,8}"""([^"]{1,4096})/g;
/** `setRequestHeader("X-Api-Key", "…")`, `headers['X-Api-Key'] = '…'` */
const quoted =
  /[[(]\s{0,8}["']([\w.-]{1,64})["']\s{0,8}(?:\]\s{0,8}=|,)\s{0,8}(?:"([^"\\\r\n]{1,4096})"|'([^'\\\r\n]{1,4096})')/g;
/** A key and a word that are alone on their line, as in YAML. */
const line =
  /^[ \t]{0,40}(?:- )?["']?([\w.-]{1,64})["']?:[ \t]{1,8}([^\s"'<>{}[\](),;]{4,200})[ \t]{0,8}\r?$/gm;
const typeName = /^(?:string|text|str|varchar|required|optional|hidden|password|null|true|false)$/i;

/**
 * Finds values whose names are in tags, brackets or on lines of their own; of most kinds, only secret ones.
 */
export function findDescribedValues(text: string): NamedValue[] {
  return [
    ...(text.includes("<![CDATA[") ? findPairs(text, cdata) : []),
    ...(text.includes('"""') ? findPairs(text, block) : []),
    // An ordinary word may be an argument of any call: `translate("password", "en")`.
    ...findPairs(text, quoted).filter((one) => !isOrdinaryWord(one.text)),
    ...findPairs(text, line).filter((one) => isPasswordName(one.name) && !typeName.test(one.text)),
    ...findInTags(text),
  ];
}

/** Finds names with values by a pattern that ends with the value, apart from a quote and the like. */
function findPairs(text: string, shape: RegExp): NamedValue[] {
  return Array.from(text.matchAll(shape), ({ index, 0: whole, 1: name = "", 2: double, 3: single }) => {
    const value = double ?? single ?? "";
    const start = index + whole.lastIndexOf(value);
    return { name, text: value, start, end: start + value.length };
  });
}

/** `<entry key="password">…`, `<Credential name="password" value="…"/>`, `<input type="password" name="f7" value="…">` */
function findInTags(text: string): NamedValue[] {
  const found: NamedValue[] = [];
  for (const { index, 0: whole, 1: attributes = "", 2: behind = "" } of text.matchAll(described)) {
    const at = index + whole.length - behind.length - 1 - attributes.length;
    const pairs = findPairs(attributes, attribute);
    const name = secretNameAmong(pairs.filter((pair) => isNamingKey(pair.name)).map((pair) => pair.text));
    if (name === "") continue;
    for (const pair of pairs) {
      if (!isValueKey(pair.name)) continue;
      found.push({ name, text: pair.text, start: at + pair.start, end: at + pair.end });
    }
    const start = index + whole.length - behind.length;
    if (isElementValue(whole, behind)) found.push({ name, text: behind, start, end: start + behind.length });
  }
  return found;
}

/**
 * Returns true if an element's text may be a value: that of buttons and titles is for people, and a password
 * has no spaces.
 */
function isElementValue(tag: string, behind: string): boolean {
  return /^<(?!a|button|label|option|span|div|p|h\d)/i.test(tag) && /^\S+$/.test(behind);
}
