const unitBits: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

/** `900Mbps`, `10Gbit/s`, `2.5 Gb/s`: as networks are sold, in bits and powers of a thousand. */
const speedPattern = /^(\d+(?:\.\d+)?)\s*([kmgt])(?:b(?:it)?(?:ps|\/s)?)$/i;

/** Reads `--link`: what the path to the target carries, each way; null, and a problem, where it is no speed. */
export function readLinkSpeed(text: string | undefined, problems: string[]): number | null {
  if (text === undefined) return null;
  const [, amount = "", unit = ""] = speedPattern.exec(text.trim()) ?? [];
  const bitsPerSecond = Number(amount) * (unitBits[unit.toLowerCase()] ?? 0);
  // MB/s is how files are told, not links: an eighth too much or too little would go unseen.
  const isBytes = /B(ps|\/s)?$/.test(text.trim());
  if (bitsPerSecond > 0 && !isBytes) return bitsPerSecond;
  problems.push(`--link ${text}: must be a speed in bits, such as 900Mbps, 1Gbps or 10Gbit/s.`);
  return null;
}
