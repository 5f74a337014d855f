/** A date and time of day, with or without zone. Nothing looser: what Date.parse guesses depends on the machine. */
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** Milliseconds since the epoch of an ISO 8601 time; without a zone it is taken as UTC. null when it is none. */
export function parseStart(written: string): number | null {
  const match = dateTime.exec(written.trim());
  if (match === null) return null;
  const [whole, , , zone] = match;
  const withZone = zone === undefined ? `${whole}Z` : whole;
  const time = Date.parse(withZone.replace(",", ".").replace(/([+-]\d\d)(\d\d)$/, "$1:$2"));
  return Number.isNaN(time) ? null : time;
}
