import type { JsonShape } from "../capture-model.ts";
import { knownText } from "../value.ts";
import { objectOf, quoteText } from "./quote-text.ts";
import { valueExpression } from "./value-expression.ts";
import type { Vocabulary } from "./vocabulary.ts";

const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Code for a JSON value; `constants` are texts that have a name. */
export function jsonExpression(
  shape: JsonShape,
  vocabulary: Vocabulary,
  constants: ReadonlyMap<string, string>,
): string {
  switch (shape.kind) {
    case "literal":
      return String(shape.value);
    case "string": {
      const text = knownText(shape.atom.value);
      return (
        (text === null ? undefined : constants.get(text)) ?? valueExpression(shape.atom.value, vocabulary)
      );
    }
    case "number":
      return numberExpression(shape.atom.value, vocabulary);
    case "list":
      return `[${shape.items.map((item) => jsonExpression(item, vocabulary, constants)).join(", ")}]`;
    case "object":
      return objectOf(
        shape.fields.map(([key, value]) => [key, jsonExpression(value, vocabulary, constants)] as const),
      );
  }
}

function numberExpression(value: Parameters<typeof knownText>[0], vocabulary: Vocabulary): string {
  const text = knownText(value);
  if (text === null) return `Number(${valueExpression(value, vocabulary)})`;
  return jsonNumber.test(text) ? text : quoteText(text);
}
