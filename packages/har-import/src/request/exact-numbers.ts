/** In JSON that is known to be some: its strings, which are passed by, and its numbers. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
/** Digits before the point; fewer are always exact. */
const long = /^-?\d{16}/;

/** Whether JavaScript writes the numbers of a JSON text as they are: ids beyond 2^53 become other ones. */
export function hasExactNumbers(json: string): boolean {
  for (const [token] of json.matchAll(tokens)) {
    if (token.startsWith('"')) continue;
    const value = Number(token);
    if (!Number.isFinite(value) || (long.test(token) && String(value) !== token)) return false;
  }
  return true;
}
