import type { CapturedBody, CapturedRequest, JsonShape } from "../capture-model.ts";
import { type Atom, knownText } from "../value.ts";

/** Returns a key for the shape of a request: requests of one shape differ only in their values. */
export function shapeOf({
  method,
  origin,
  path,
  query,
  referer,
  body,
  recordedStatus,
}: CapturedRequest): string {
  return JSON.stringify([
    method,
    origin,
    path.map(shapeOfSegment),
    query.map(({ name }) => name),
    referer === null ? null : [referer.path.length, referer.query.map(({ name }) => name)],
    body === null ? null : shapeOfBody(body),
    // With another row, the response must be of the same kind.
    recordedStatus,
  ]);
}

/**
 * Returns true for a segment that identifies one object of many: a number, an id or, after other segments,
 * words like `red-shoes`.
 */
export function isBlank({ value }: Atom, index: number): boolean {
  const text = knownText(value);
  return text === null || /\d/.test(text) || (index > 0 && /[^A-Za-z]/.test(text));
}

function shapeOfSegment(segment: Atom, index: number): string | null {
  return isBlank(segment, index) ? null : knownText(segment.value);
}

function shapeOfBody(body: CapturedBody): unknown {
  switch (body.kind) {
    case "json":
      return ["json", shapeOfJson(body.root)];
    case "form":
      return ["form", body.fields.map(({ name }) => name)];
    case "multipart":
      return [
        "multipart",
        body.parts.map(({ atom, fileName, contentType }) => [atom.name, fileName, contentType]),
      ];
    case "text":
      return ["text", body.text.value];
    case "bytes":
      return ["bytes", body.base64];
  }
}

function shapeOfJson(shape: JsonShape): unknown {
  switch (shape.kind) {
    case "literal":
      return shape.value;
    case "string":
    case "number":
      return shape.kind;
    case "list":
      return ["list", shape.items.map(shapeOfJson)];
    case "object":
      return ["object", shape.fields.map(([key, value]) => [key, shapeOfJson(value)])];
  }
}
