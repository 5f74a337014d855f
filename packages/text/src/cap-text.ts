/** The maximum length in UTF-8 of names (of requests, pages, groups and checks) and of tags' values. */
const maxNameBytes = 256;
/** The maximum length of messages in UTF-8. */
const maxMessageBytes = 8192;

const ellipsis = "…";
const ellipsisBytes = 3;
const hashDigits = 14;

/** Replaces secrets in a text. */
type Mask = (text: string) => string;

/**
 * Returns a name or a tag's value as it is reported. If it is longer than 256 bytes of UTF-8, it is cut
 * between two characters and ends with `…` and a hash of the whole, so that different names stay different.
 * The mask is applied before the cut, because it would not recognize a part of a secret. Short names are
 * returned as they are, unmasked.
 */
export function capName(name: string, mask?: Mask): string {
  if (fits(name, maxNameBytes)) return name;
  const whole = mask === undefined ? name : mask(name);
  if (fits(whole, maxNameBytes)) return whole;
  return `${cut(whole, maxNameBytes - ellipsisBytes - hashDigits)}${ellipsis}${hashOf(whole)}`;
}

/**
 * Returns a message as it is reported: if it is longer than 8 KiB of UTF-8, it is masked, cut between two
 * characters and ends with `…`.
 */
export function capMessage(message: string, mask?: Mask): string {
  if (fits(message, maxMessageBytes)) return message;
  const whole = mask === undefined ? message : mask(message);
  if (fits(whole, maxMessageBytes)) return whole;
  return `${cut(whole, maxMessageBytes - ellipsisBytes)}${ellipsis}`;
}

function fits(text: string, maxBytes: number): boolean {
  if (text.length * 3 <= maxBytes) return true;
  return text.length <= maxBytes && cut(text, maxBytes).length === text.length;
}

/**
 * Returns the longest beginning of a text that has at most `maxBytes` bytes of UTF-8, without splitting a
 * character.
 */
function cut(text: string, maxBytes: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += utf8Length(character.codePointAt(0) ?? 0);
    if (bytes > maxBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** Bytes of a code point in UTF-8; a lone surrogate is written as U+FFFD, which has three. */
function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

/**
 * Returns 14 hexadecimal digits (cyrb53, public domain). The hash distinguishes names; it is not
 * cryptographic.
 */
function hashOf(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  const hash = 4294967296 * (2097151 & low) + (high >>> 0);
  return hash.toString(16).padStart(hashDigits, "0");
}
