import { RequestFault } from "./request-fault.ts";

/** The text that a value leaves in an address where it is missing, or is none that an address can have. */
const traces = /undefined|NaN|null|object/;
const whole = /^(?:undefined|NaN)(?:\.\w+)?$/;
const wholeInPath = /^(?:undefined|NaN|null)(?:\.\w+)?$/;
const parsed = /^(?:https?:\/\/[^/?#]*)?([^?#]*)\??([^#]*)/i;
const described = /(?:\[|%5B)object(?: |%20|\+)\w+(?:\]|%5D)/i;

/** True if a path or query has such a text somewhere: cheap, and seldom true. */
export function mayMissValue(pathAndQuery: string): boolean {
  return traces.test(pathAndQuery);
}

/** A part of an address, and where it stands. */
interface SuspectPart {
  readonly place: "path" | "query";
  /** As it is written: a segment, or a name with its value. */
  readonly text: string;
}

/**
 * The parts of an address that a missing value made: `undefined` or `NaN` as a whole segment, name or value; `null` as a segment
 * only, because sites do ask for `?parent=null`; `[object Object]` anywhere.
 */
function suspectParts(address: string): SuspectPart[] {
  const [, path = "", query = ""] = parsed.exec(address) ?? [];
  const segments = path
    .split("/")
    .filter((text) => wholeInPath.test(text) || described.test(text))
    .map((text) => ({ place: "path", text }) as const);
  const fields = query
    .split("&")
    .filter((text) => described.test(text) || text.split("=").some((one) => whole.test(one)))
    .map((text) => ({ place: "query", text }) as const);
  return [...segments, ...fields];
}

/** Refuses addresses in which a value is missing, unless the test's own code has the text: imported tests repeat what a site asked for. */
export class MissingValues {
  readonly #readCode: () => string;
  #code: string | null = null;

  /** `readCode`: the code of the test, read when it is first needed. */
  constructor(readCode: () => string) {
    this.#readCode = readCode;
  }

  /** @throws {RequestFault} for an address, as the test gives it, in which a value is missing */
  refuse(method: string, address: string): void {
    const missing = suspectParts(address).find((part) => !this.#isWritten(part));
    if (missing === undefined) return;
    const { place, text } = missing;
    const [, path = ""] = parsed.exec(address) ?? [];
    const asked = `${method.toUpperCase()} ${path}: the ${place} has "${text}", ${causeOf(text)}.`;
    const way = place === "path" ? "set rawPath: true" : "give it with params";
    throw new RequestFault("INVALID_URL", `${asked} If it is meant so, ${way}.`);
  }

  #isWritten({ place, text }: SuspectPart): boolean {
    this.#code ??= this.#readCode();
    return this.#code.includes(place === "path" ? `/${text}` : text);
  }
}

function causeOf(text: string): string {
  if (/object(?: |%20|\+)Promise/i.test(text)) return "so a promise was not awaited";
  return described.test(text) ? "so an object stands where a text should" : "so a value is missing";
}
