import { findTokens, type Span } from "@bearhug/sdk/internal";

/** Credentials behind the name of their scheme: of a whole value, or long and no word. */
const schemeAtStart = /^\s{0,8}(?:bearer|basic|digest|negotiate|token)\s{1,8}(?=\S)/i;
const schemeInside = /\b(?:[Bb]earer|BEARER|[Bb]asic|BASIC|[Nn]egotiate)[ \t]{1,8}(?=([\w.~+/=-]{8,8192}))/g;

/** Keys of well-known shapes, and credentials behind the name of their scheme. */
export function findWellKnown(text: string): Span[] {
  return [...findTokens(text), ...findCredentials(text)];
}

function findCredentials(text: string): Span[] {
  const found: Span[] = [];
  const scheme = schemeAtStart.exec(text)?.[0].length;
  if (scheme !== undefined && isCredential(text.slice(scheme)))
    found.push({ start: scheme, end: text.trimEnd().length });
  for (const { index, 0: name, 1: credential = "" } of text.matchAll(schemeInside)) {
    const start = index + name.length;
    if (/[\d+/=]/.test(credential)) found.push({ start, end: start + credential.length });
  }
  return found;
}

/** `Basic plan` is none; `Digest username="x", realm=…` is. */
function isCredential(text: string): boolean {
  return !/\s/.test(text.trim()) || text.includes("=");
}
