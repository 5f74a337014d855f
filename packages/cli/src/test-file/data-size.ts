const unitBytes: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };

/** `10GB`, `500 MB`: as traffic is sold, in bytes and powers of a thousand. */
const sizePattern = /^(\d+(?:\.\d+)?)\s*([kmgt]?b)$/i;

/** Reads `--max-data`; null, and a problem, where it is no amount. */
export function readDataSize(flag: string, text: string | undefined, problems: string[]): number | null {
  if (text === undefined) return null;
  const [, amount = "", unit = ""] = sizePattern.exec(text.trim()) ?? [];
  const bytes = Number(amount) * (unitBytes[unit.toLowerCase()] ?? 0);
  if (bytes >= 1 && Number.isSafeInteger(Math.round(bytes))) return Math.round(bytes);
  problems.push(`${flag} ${text}: must be a size such as 500MB or 10GB.`);
  return null;
}
