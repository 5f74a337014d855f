import type { Span } from "@bearhug/text/secrets/span";
import { findTokens } from "@bearhug/text/secrets/token-shapes";

/** The scheme of credentials: at the start of a whole value, or before a long word in a text. */
const schemeAtStart = /^\s{0,8}(?:bearer|basic|digest|negotiate|token)\s{1,8}(?=\S)/i;
const schemeInside = /\b(?:[Bb]earer|BEARER|[Bb]asic|BASIC|[Nn]egotiate)[ \t]{1,8}(?=([\w.~+/=-]{8,8192}))/g;

/** Finds keys of well-known shapes, and credentials after the name of their scheme. */
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

/** Returns true for credentials: not for `Basic plan`, but for `Digest username="x", realm=…`. */
function isCredential(text: string): boolean {
  return !/\s/.test(text.trim()) || text.includes("=");
}
