import { isIdentifier } from "@bearhug/sdk/internal";
import type { CapturedRequest, CaptureModel } from "../capture-model.ts";
import { mapRequests } from "../map-atoms.ts";
import { printable } from "../printable.ts";
import { knownText } from "../value.ts";
import { creatingPath } from "./creating-path.ts";

/**
 * A model that says beside a request if its path has the recorded id of what may just have been created: sites that lead from a form to a
 * list show the id there, among others.
 */
export function noteCreatedIds(model: CaptureModel): CaptureModel {
  const seen = new Set<string>();
  /** By the words before `add`: the request that created something there last. */
  const creators = new Map<string, string>();
  const note = (request: CapturedRequest): CapturedRequest => {
    const segments = request.path.map(({ value }) => knownText(value) ?? "");
    const [id] = segments.filter((segment) => isIdentifier(segment) && !seen.has(segment));
    const creator = id === undefined ? undefined : creatorOf(segments, creators);
    for (const segment of segments) seen.add(segment);
    const words = creatingPath(request);
    if (words !== null) creators.set(words.join("/"), `${request.method} /${segments.join("/")}`);
    return creator === undefined ? request : { ...request, hints: [...request.hints, hintId(creator)] };
  };
  return { ...model, ...mapRequests(model, note) };
}

function creatorOf(segments: readonly string[], creators: ReadonlyMap<string, string>): string | undefined {
  const path = segments.join("/");
  return [...creators].find(([words]) => path.startsWith(`${words}/`))?.[1];
}

function hintId(creator: string): string {
  return `the id in this path is the recorded one: if ${printable(creator, 120)} created it, extract it from the response`;
}
