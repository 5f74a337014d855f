import { masked } from "../secrets/mask-text.ts";
import { looksSecret } from "../secrets/secret-looks.ts";
import type { FreshValue, Value, ValuePart } from "../value.ts";
import { printable } from "./printable.ts";

const maxTextCharacters = 24;

/** Whether some of a value is known only when a test runs. */
export function isDynamic(value: Value): boolean {
  return value.some(({ kind }) => kind !== "text");
}

/** A value for people, what is known later in braces: `Bearer {TOKEN}`, `{csrf}`, `{a new UUID}`. */
export function showValue(value: Value): string {
  return value.map(showPart).join("");
}

function showPart(part: ValuePart): string {
  switch (part.kind) {
    case "text":
      return looksSecret(part.text) || /.@./.test(part.text)
        ? masked
        : printable(part.text, maxTextCharacters);
    case "variable":
    case "extracted":
      return `{${printable(part.name)}}`;
    case "cookie":
      return `{cookie ${printable(part.name, 60)}}`;
    case "fresh":
      return `{${showFresh(part.what)}}`;
    case "column":
      return `{${printable(part.table)}.${printable(part.column)}}`;
  }
}

const freshValues: Readonly<Record<Extract<FreshValue, string>, string>> = {
  uuid: "a new UUID",
  milliseconds: "now, in ms",
  seconds: "now, in s",
  "iso date": "now",
  fraction: "a random number",
};

function showFresh(what: FreshValue): string {
  return typeof what === "string" ? freshValues[what] : `${what.digits} random digits`;
}
