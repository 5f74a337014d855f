const unitNames: Readonly<Record<string, readonly string[]>> = {
  ms: ["msec", "msecs", "milli", "millis", "millisecond", "milliseconds"],
  s: ["sec", "secs", "second", "seconds"],
  m: ["min", "mins", "minute", "minutes"],
  h: ["hr", "hrs", "hour", "hours"],
  "%": ["percent", "pct"],
  kB: ["kb"],
  MB: ["mb"],
  GB: ["gb"],
};

const unitsByName = new Map(
  Object.entries(unitNames).flatMap(([unit, names]) => [unit, ...names].map((name) => [name, unit])),
);

/**
 * Returns a text with its units respelled as bearhug reads them: "1 sec" as "1s", "p95<300 msec" as
 * "p95<300ms".
 */
export function respellUnits(text: string): string {
  const respelled = text.replace(
    /(\d)\s*([a-z]+|%)/gi,
    (_whole, digit: string, word: string) => digit + (unitsByName.get(word.toLowerCase()) ?? word),
  );
  return respelled.trim();
}
