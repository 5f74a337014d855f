/** Parses an http: or https: URL; null for any other text. */
export function parseHttpUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : null;
}
