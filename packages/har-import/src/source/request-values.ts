import type { CapturedBody, CapturedRequest, CaptureModel, JsonShape } from "../capture-model.ts";
import type { Value, ValuePart } from "../value.ts";

/** Every value of a request. */
function valuesOf({ path, query, headers, body }: CapturedRequest): Value[] {
  const atoms = [...path, ...query, ...headers];
  return [...atoms.map(({ value }) => value), ...(body === null ? [] : valuesOfBody(body))];
}

/** The parts of every value of some requests. */
export function partsOf(requests: readonly CapturedRequest[]): ValuePart[] {
  return requests.flatMap((request) => valuesOf(request).flat());
}

/** The requests of a step, in the order of sending. */
export function requestsOf({ waves }: CaptureModel["steps"][number]): CapturedRequest[] {
  return waves.flatMap(({ requests }) => requests);
}

/** The names of what a request takes from earlier answers. */
export function extractedBy(requests: readonly CapturedRequest[]): Set<string> {
  return new Set(partsOf(requests).flatMap((part) => (part.kind === "extracted" ? [part.name] : [])));
}

function valuesOfBody(body: CapturedBody): Value[] {
  switch (body.kind) {
    case "json":
      return valuesOfShape(body.root);
    case "form":
      return body.fields.map(({ value }) => value);
    case "multipart":
      return body.parts.map(({ atom }) => atom.value);
    case "text":
      return [body.text.value];
    case "bytes":
      return [];
  }
}

function valuesOfShape(shape: JsonShape): Value[] {
  switch (shape.kind) {
    case "literal":
      return [];
    case "string":
    case "number":
      return [shape.atom.value];
    case "list":
      return shape.items.flatMap(valuesOfShape);
    case "object":
      return shape.fields.flatMap(([, value]) => valuesOfShape(value));
  }
}
