import { isSecretName } from "@bearhug/sdk/internal";
import type { JsonShape } from "../capture-model.ts";
import { type Atom, knownText } from "../value.ts";

const naming = /^(?:name|key|id|field|fieldname|label|param|parameter|prop|property|type|k|n)$/i;
const valued =
  /^(?:v|val|value|values|text|content|data|answer|raw|current|old|new|confirm|confirmation|input)$/i;
const natural = /^[\w.[\]: -]{1,64}$/;

/** Whether a key says what its sibling is called: `{"name":"password","value":"…"}`. Attributes of XML do so, too. */
export function isNamingKey(key: string): boolean {
  return naming.test(key);
}

/** Whether what goes by this key is called by its siblings, or by what is around them: `{"password":{"value":"…"}}`. */
export function isValueKey(key: string): boolean {
  return valued.test(key);
}

/** Of names beside a value the one that makes it secret, or "". */
export function secretNameAmong(names: readonly string[]): string {
  return names.find((name) => natural.test(name) && isSecretName(name)) ?? "";
}

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
