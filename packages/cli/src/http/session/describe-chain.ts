/** Addresses that are shown at each end of a chain, and what is shown of a long one. */
const shownAtEnd = 3;
const shownCharacters = 120;

/** The addresses of a chain of redirects, in words: the first and last few, and how many are between them. */
export function describeChain(urls: readonly string[]): string {
  const shown = urls.map((url) =>
    url.length > shownCharacters ? `${url.slice(0, shownCharacters - 1)}…` : url,
  );
  const between = urls.length - 2 * shownAtEnd;
  if (between <= 1) return shown.join(" → ");
  return [...shown.slice(0, shownAtEnd), `${between} more`, ...shown.slice(-shownAtEnd)].join(" → ");
}
