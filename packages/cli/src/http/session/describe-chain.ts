import { foreign, type ForeignText, listed, told } from "../../foreign-text.ts";

/** Addresses that are shown at each end of a chain, and what is shown of a long one. */
const addressesAtEnd = 3;
const shownCharacters = 120;

/** The addresses of a chain of redirects, in words: the first and last few, and how many are between them. */
export function describeChain(urls: readonly string[]): ForeignText {
  const between = urls.length - 2 * addressesAtEnd;
  if (between <= 1) return listed(urls.map(shorten), " → ");
  const [first, last] = [urls.slice(0, addressesAtEnd), urls.slice(-addressesAtEnd)];
  return listed([...first.map(shorten), told`${between} more`, ...last.map(shorten)], " → ");
}

function shorten(url: string): ForeignText {
  return foreign(url, shownCharacters);
}
