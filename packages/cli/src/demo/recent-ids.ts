/** Tells whether an id is new, as far as the newest `limit` of them go. */
export function createRecentIds(limit = 10_000): (id: string) => boolean {
  const seen = new Set<string>();
  return (id) => {
    if (seen.has(id)) return false;
    seen.add(id);
    const [oldest] = seen;
    if (seen.size > limit && oldest !== undefined) seen.delete(oldest);
    return true;
  };
}
