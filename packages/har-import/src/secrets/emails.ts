import type { Span } from "@bearhug/text/secrets/span";

/** Replaces every e-mail address that is not part of a login. */
export const exampleEmail = "user@example.com";

/**
 * Letters of languages with capitals (others adjoin an address without a space), so that nothing of
 * `Jürgen@firma.example` is left over. In text that was percent-encoded, each byte is a letter.
 */
const localPart = /[A-Za-z\d.!#$%&'*+/=?^_`{|}~\x80-\xff\p{Lu}\p{Ll}\p{M}\p{N}-]/u;
const maxLocalPart = 64;
const domain =
  /[a-z\d\x80-\xff\p{Lu}\p{Ll}](?:[a-z\d\x80-\xff\p{Lu}\p{Ll}\p{M}-]{0,62})(?:\.[a-z\d\x80-\xff\p{Lu}\p{Ll}][a-z\d\x80-\xff\p{Lu}\p{Ll}\p{M}-]{0,62}){1,8}/iuy;
/** `icon@2x.png` and `react@17.0.2` are not addresses. */
const topDomain = /\.[a-z\x80-\xff\p{Lu}\p{Ll}\p{M}]{2,24}$/iu;
const fileEnding =
  /\.(avif|css|gif|html?|ico|jpe?g|jsx?|json|map|mjs|mp4|png|svg|tgz|tsx?|webm|webp|woff2?|zip)$/i;

/**
 * Finds the e-mail addresses in a text. Searches from each `@`, so that a long text without one takes no
 * time.
 */
export function findEmails(text: string): Span[] {
  const found: Span[] = [];
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    let start = at;
    while (start > 0 && at - start < maxLocalPart && localPart.test(text.charAt(start - 1))) start--;
    // Quotes, slashes and `=` are allowed in an address, but hardly ever occur: it begins after them.
    const before = /^.*[/=?&'`{}|!#$%^*]/s.exec(text.slice(start, at));
    start += before?.[0].length ?? 0;
    domain.lastIndex = at + 1;
    const host = domain.exec(text)?.[0];
    if (start === at || host === undefined || !topDomain.test(host) || fileEnding.test(host)) continue;
    if (text.slice(start, at + 1 + host.length).toLowerCase() === exampleEmail) continue;
    found.push({ start, end: at + 1 + host.length });
  }
  return found;
}
