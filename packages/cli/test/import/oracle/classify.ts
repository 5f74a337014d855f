import type { FreshValues } from "./fresh-values.ts";
import { mayBeOmitted, Omissions, type Omitted } from "./omitted.ts";
import { isMadeOf } from "./pieces.ts";
import { blanksOfJson, dissect, dissectFields, type Place } from "./places.ts";
import type { RecordedExchange, RecordedRequest, WireRequest } from "./recorded-exchange.ts";

/** One iteration of an imported test: the recording, the requests received, and what `--explain` printed. */
export interface Evidence {
  readonly exchanges: readonly RecordedExchange[];
  readonly received: readonly WireRequest[];
  readonly omitted: readonly Omitted[];
  readonly fresh: FreshValues;
  /** The values that the run gave to the test's variables. */
  readonly given: ReadonlyMap<string, string>;
  /** Everything that the site sent in its responses. */
  readonly sent: string;
}

/** The fate of an entry. */
export type Classified =
  | { readonly kind: "equal" }
  | { readonly kind: "values"; readonly places: readonly string[] }
  | { readonly kind: "omitted"; readonly reason: string }
  | { readonly kind: "unexplained"; readonly why: string };

export interface Accounts {
  /** By index of the entry. */
  readonly classified: readonly Classified[];
  /** Requests that were not recorded, and skipped lines without a request in the capture. */
  readonly inNoClass: readonly string[];
}

/** Puts each entry of a capture into exactly one class. Each received request accounts for one entry. */
export function classify(evidence: Evidence): Accounts {
  const { exchanges, omitted } = evidence;
  const { sent, unmatched } = matchReceived(evidence);
  const omissions = new Omissions(omitted);
  const classifyUnsent = ({ request }: RecordedExchange): Classified => {
    const reason = omissions.take(request);
    if (reason !== null) return { kind: "omitted", reason };
    return { kind: "unexplained", why: findNearest(request, unmatched, evidence) };
  };
  return {
    classified: exchanges.map((exchange) => sent.get(exchange) ?? classifyUnsent(exchange)),
    inNoClass: [
      ...unmatched.map(({ method, target }) => `sent, and recorded nowhere: ${method} ${target}`),
      ...omissions.rest().map((line) => `skipped, and recorded nowhere: ${line}`),
    ],
  };
}

interface Matched {
  readonly sent: ReadonlyMap<RecordedExchange, Classified>;
  readonly unmatched: readonly WireRequest[];
}

/** Matches each entry with one request: an equal one first, then the one with the fewest different values. */
function matchReceived(evidence: Evidence): Matched {
  const { exchanges, omitted } = evidence;
  const sent = new Map<RecordedExchange, Classified>();
  let unmatched = [...evidence.received];
  const take = (exchange: RecordedExchange, request: WireRequest, as: Classified): void => {
    sent.set(exchange, as);
    unmatched = unmatched.filter((one) => one !== request);
  };
  // If equal requests went to two hosts, the one that no skipped line can mean was sent.
  const inOrder = exchanges.toSorted(
    (left, right) =>
      Number(mayBeOmitted(left.request, omitted)) - Number(mayBeOmitted(right.request, omitted)),
  );
  for (const exchange of inOrder) {
    const same = unmatched.find((request) => isSame(exchange.request, request));
    if (same !== undefined) take(exchange, same, { kind: "equal" });
  }
  for (const exchange of inOrder.filter((one) => !sent.has(one))) {
    const [best] = unmatched
      .map((request) => ({ request, ...compare(exchange.request, request, evidence) }))
      .filter(({ problems }) => problems.length === 0)
      .toSorted((left, right) => left.places.length - right.places.length);
    if (best !== undefined) take(exchange, best.request, { kind: "values", places: best.places });
  }
  return { sent, unmatched };
}

function isSame(recorded: RecordedRequest, received: WireRequest): boolean {
  return (
    recorded.method === received.method &&
    recorded.target === received.target &&
    recorded.contentType === received.contentType &&
    recorded.body.equals(received.body)
  );
}

interface Comparison {
  /** Each place whose value differs, with the origin of the new value. */
  readonly places: readonly string[];
  readonly problems: readonly string[];
}

function compare(recorded: RecordedRequest, received: WireRequest, evidence: Evidence): Comparison {
  const take = recorded.fields === null ? dissect : dissectFields;
  const [before, after] = [take(recorded), take(received)];
  if (before.skeleton !== after.skeleton)
    return { places: [], problems: [`${before.skeleton}\nbecame\n${after.skeleton}`] };
  const differing = before.places.flatMap((place, index) => {
    const sent = after.places[index];
    if (sent === undefined || (sent.value === place.value && sent.written === place.written)) return [];
    return [{ name: place.name, recorded: place, received: sent }];
  });
  const read = differing.map((place) => ({ ...place, origin: originOf(place, evidence) }));
  const rebuilt = recorded.fields === null ? [] : ["body: made of its fields"];
  if (differing.length + rebuilt.length === 0)
    return { places: [], problems: ["the bytes differ where no value does"] };
  return {
    places: rebuilt.concat(
      read.flatMap(({ name, origin }) => (origin === null ? [] : [`${name}: ${origin}`])),
    ),
    problems: read
      .filter(({ origin }) => origin === null)
      .map((one) => `${one.name}: ${shown(one.recorded)} became ${shown(one.received)}`),
  };
}

interface Differing {
  readonly name: string;
  readonly recorded: Place;
  readonly received: Place;
}

/** Returns the origin of a value that differs from the recorded one; null if nothing explains it. */
function originOf(
  { name, ...places }: Differing,
  { exchanges, fresh, given, sent }: Evidence,
): string | null {
  const [recorded, received] = [places.recorded.value, places.received.value];
  // The same value in another encoding is not allowed.
  if (recorded === received) return null;
  if (name === "boundary") return "made new";
  if (name === blanksOfJson) return "blanks";
  const restored = fresh.restore(received);
  if (restored === recorded) return "correlated";
  const variables = [...given].filter(([, value]) => restored.includes(value));
  if (variables.length > 0 && fillsIn(recorded, restored, variables))
    return variables.map(([variable]) => variable).join(", ");
  // The importer's documented replacement for an email address that is not used to log in.
  if (restored === exampleEmail && /^[^@\s]+@[^@\s]+$/.test(recorded)) return exampleEmail;
  if (isMadeLike(recorded, received) && !sent.includes(received)) return "made new";
  const isOfAnswers = sent.includes(received) && isAnswered(recorded, exchanges);
  if (isOfAnswers && received.length >= leastCorrelated) return "correlated";
  return null;
}

const leastCorrelated = 4;
const exampleEmail = "user@example.com";

function isAnswered(value: string, exchanges: readonly RecordedExchange[]): boolean {
  return exchanges.some(
    ({ response }) => response.body.includes(value) || response.headers.flat().join("\n").includes(value),
  );
}

/** True if the recorded value is the sent one with some text in place of the variables' values. */
function fillsIn(
  recorded: string,
  sent: string,
  variables: readonly (readonly [name: string, value: string])[],
): boolean {
  const literals = variables.reduce(
    (pieces, [, value]) => pieces.flatMap((piece) => piece.split(value)),
    [sent],
  );
  return isMadeOf(recorded, literals);
}

/** Patterns of values that a page's script makes, alone or within a text. */
const kinds = [
  /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi,
  /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?/g,
  /\b0\.\d{8,}\b/g,
  /\b\d{8,13}(?:\.\d+)?\b/g,
  /\b[\da-f]{16,}\b/gi,
];

function isMadeLike(recorded: string, received: string): boolean {
  return withoutMade(recorded) === withoutMade(received);
}

function withoutMade(text: string): string {
  return kinds.reduce((rest, kind, index) => rest.replace(kind, `<${index}>`), text);
}

/** Describes how the most similar unmatched request differs from this one. */
function findNearest(
  recorded: RecordedRequest,
  received: readonly WireRequest[],
  evidence: Evidence,
): string {
  const what = `${recorded.method} ${recorded.url}`;
  const path = recorded.target.split("?", 1).join("");
  const near = received.find(
    ({ method, target }) => method === recorded.method && fitsPath(target.split("?", 1).join(""), path),
  );
  if (near === undefined) return `${what} was neither sent nor skipped`;
  return [what, ...compare(recorded, near, evidence).problems].join("\n");
}

function fitsPath(path: string, recorded: string): boolean {
  return path.split("/").length === recorded.split("/").length;
}

function shown({ value, written = value }: Place): string {
  return cut(written);
}

function cut(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
