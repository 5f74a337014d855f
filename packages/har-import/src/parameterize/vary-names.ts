import type { CapturedRequest, CaptureModel } from "../capture-model.ts";
import { type AtomPlace, mapAtoms, mapRequests, requestsOf } from "../map-atoms.ts";
import { atomsOfBody } from "../body-atoms.ts";
import { anySegment } from "../path-pattern.ts";
import { printable } from "../printable.ts";
import { type Atom, knownText, textValue, type Value, type ValuePart } from "../value.ts";

/** Fields in which a person names what they create: many sites take each name once. */
const namingField = /^(?:.*[._[-])?(?:name|title|slug|e-?mail|user_?name)\]?$/i;
/** Keys of an answer that say what was created. */
const identifyingKey = /(?:^|[.\]])(?:id|uuid|key|slug|name|path)$|(?:Id|_id)$/;
const shortest = 3;
/** Where a name may be sent again. */
const sentKinds: ReadonlySet<AtomPlace["kind"]> = new Set(["path", "query", "form", "json", "multipart"]);

/** One number for an iteration: the names in it belong together. */
const unique: ValuePart = { kind: "fresh", what: { digits: 9 }, id: "unique" };

/** A model that says beside each request that creates something which of the names in it may have to differ. */
export function noteNames(model: CaptureModel): CaptureModel {
  const note = (request: CapturedRequest): CapturedRequest => {
    const names = [...new Set(namesIn(request).map(({ name }) => printable(name, 40)))];
    if (names.length === 0) return request;
    const hint = `if the site takes each ${names.join(" and each ")} only once, import with --unique`;
    return { ...request, hints: [...request.hints, hint] };
  };
  return { ...model, ...mapRequests(model, note) };
}

/** A model in which names of what is created differ in each iteration, wherever they are sent. */
export function makeNamesUnique(model: CaptureModel): CaptureModel {
  const names = new Set(
    requestsOf(model)
      .flatMap(namesIn)
      .map(({ value }) => knownText(value) ?? ""),
  );
  return mapAtoms(model, ({ value }, { kind }) => {
    const text = knownText(value);
    return text === null || !sentKinds.has(kind) || !names.has(text) ? value : uniqueValue(text);
  });
}

function uniqueValue(text: string): Value {
  const at = /^[^\s@]+(?=@[^\s@]+$)/.exec(text)?.[0].length ?? text.length;
  const separator = at < text.length ? "+" : /\s/.test(text) ? " " : "-";
  return [...textValue(text.slice(0, at) + separator), unique, ...textValue(text.slice(at))];
}

/** The names that a person typed for what a request creates. */
function namesIn(request: CapturedRequest): Atom[] {
  if (!createsSomething(request)) return [];
  return atomsOfBody(request.body).filter(({ name, value }) => {
    const text = knownText(value) ?? "";
    return namingField.test(name) && text.length >= shortest && /\p{L}/u.test(text);
  });
}

/** Returns true for a request whose answer said that something is new, or which one it is. */
function createsSomething({ method, recordedStatus, landsOn, extractions }: CapturedRequest): boolean {
  if (method !== "POST" && method !== "PUT") return false;
  const isLed = landsOn?.split("/").includes(anySegment) ?? false;
  const isIdentified = extractions.some(
    ({ from }) => "segment" in from || ("json" in from && identifyingKey.test(from.json)),
  );
  return recordedStatus === 201 || isLed || isIdentified;
}
