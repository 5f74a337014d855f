import type { CapturedBody, JsonShape } from "../capture-model.ts";
import { type Atom, textValue } from "../value.ts";
import { showName } from "./shown-url.ts";
import { isDynamic, showValue } from "./show-value.ts";

const maxNames = 12;

/** What a request carries: names as they are, values only where they are known when a test runs. */
export function showBody(body: CapturedBody): string {
  switch (body.kind) {
    case "json":
      return `JSON ${showAtoms(atomsIn(body.root))}`.trimEnd();
    case "form":
      return `form ${showAtoms(body.fields)}`.trimEnd();
    case "multipart":
      return `multipart form ${showAtoms(body.parts.map(({ atom }) => atom))}`.trimEnd();
    case "text":
      return isDynamic(body.text.value) ? `text ${showValue(body.text.value)}` : "text as recorded";
    case "bytes":
      return "bytes as recorded";
  }
}

/** Names, each once, with the values that are not as recorded: `user, password={PASSWORD}`. */
export function showAtoms(atoms: readonly Atom[]): string {
  const shown = [...new Set(atoms.map(showAtom))].filter((text) => text !== "");
  const more = shown.length - maxNames;
  return [...shown.slice(0, maxNames), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

function showAtom({ name, value }: Atom): string {
  if (name === "") return isDynamic(value) ? showValue(value) : "";
  return isDynamic(value) ? `${showName(name)}=${showValue(value)}` : showName(name);
}

/** The values of a JSON body under their nearest keys. */
function atomsIn(shape: JsonShape, key = ""): Atom[] {
  switch (shape.kind) {
    case "literal":
      return [{ name: key, value: textValue(String(shape.value)), written: null }];
    case "string":
    case "number":
      return [shape.atom];
    case "list":
      return shape.items.flatMap((item) => atomsIn(item, key));
    case "object":
      return shape.fields.flatMap(([name, value]) => atomsIn(value, name));
  }
}
