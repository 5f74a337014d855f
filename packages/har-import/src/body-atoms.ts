import type { CapturedBody, JsonShape } from "./capture-model.ts";
import type { Atom } from "./value.ts";

/** Returns the atoms of a body, in the order in which they are sent. */
export function atomsOfBody(body: CapturedBody | null): Atom[] {
  if (body === null) return [];
  switch (body.kind) {
    case "json":
      return atomsOfShape(body.root);
    case "form":
      return [...body.fields];
    case "multipart":
      return body.parts.map(({ atom }) => atom);
    case "text":
      return [body.text];
    case "bytes":
      return [];
  }
}

function atomsOfShape(shape: JsonShape): Atom[] {
  switch (shape.kind) {
    case "literal":
      return [];
    case "string":
    case "number":
      return [shape.atom];
    case "list":
      return shape.items.flatMap(atomsOfShape);
    case "object":
      return shape.fields.flatMap(([, value]) => atomsOfShape(value));
  }
}
