const spellings: Readonly<Record<string, readonly string[]>> = {
  ms: ["msec", "msecs", "milli", "millis", "millisecond", "milliseconds"],
  s: ["sec", "secs", "second", "seconds"],
  m: ["min", "mins", "minute", "minutes"],
  h: ["hr", "hrs", "hour", "hours"],
  "%": ["percent", "pct"],
};

const units = new Map(
  Object.entries(spellings).flatMap(([unit, names]) => [unit, ...names].map((name) => [name, unit])),
);

/** A text with its units written as bearhug reads them: "1 sec" is "1s", "p95<300 msec" is "p95<300ms". */
export function respellUnits(text: string): string {
  const respelled = text.replace(
    /(\d)\s*([a-z]+|%)/gi,
    (whole, digit: string, word: string) => digit + (units.get(word.toLowerCase()) ?? word),
  );
  return respelled.trim();
}
