import type { JsonShape } from "../capture-model.ts";
import { type Atom, knownText } from "../value.ts";
import { isNamingKey, isValueKey, secretNameAmong } from "./described-values.ts";

const besideByRoot = new WeakMap<JsonShape, ReadonlyMap<Atom, string>>();

/** What makes an atom of a JSON value secret although its own key does not, or "". */
export function nameBeside(atom: Atom, root: JsonShape): string {
  let names = besideByRoot.get(root);
  if (names === undefined) {
    names = namesBeside(root);
    besideByRoot.set(root, names);
  }
  return names.get(atom) ?? "";
}

function namesBeside(root: JsonShape): Map<Atom, string> {
  const names = new Map<Atom, string>();
  const walk = (shape: JsonShape, outerKey: string, isInList: boolean): void => {
    if (shape.kind === "list") {
      const [first, second] = shape.items;
      if (isInList && shape.items.length === 2 && first?.kind === "string" && second !== undefined)
        tell(second, secretNameAmong([textOf(first)]));
      for (const item of shape.items) walk(item, outerKey, true);
    }
    if (shape.kind !== "object") return;
    const siblings = shape.fields.flatMap(([key, value]) => (isNamingKey(key) ? [textOf(value)] : []));
    const name = secretNameAmong([...siblings, outerKey]);
    for (const [key, value] of shape.fields) {
      if (isValueKey(key)) tell(value, name);
      walk(value, key, false);
    }
  };
  const tell = (shape: JsonShape, name: string): void => {
    if (name !== "" && (shape.kind === "string" || shape.kind === "number")) names.set(shape.atom, name);
  };
  walk(root, "", false);
  return names;
}

function textOf(shape: JsonShape): string {
  return shape.kind === "string" ? (knownText(shape.atom.value) ?? "") : "";
}
