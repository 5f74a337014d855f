import { inspect } from "node:util";

import type { LogLine } from "@bearhug/plan/protocol/messages";
import { textOf } from "@bearhug/plan/protocol/read-thrown";
import type { Log } from "@bearhug/sdk";
import type { Mask } from "@bearhug/text/secret-mask";

/** Creates `log` of a test's context; `from` names the origin of its lines. */
export function createLog(send: (line: LogLine) => void, mask: Mask, from: string): Log {
  const at =
    (level: LogLine["level"]) =>
    (...given: readonly unknown[]): void => {
      const text = given.map(textIn).join(" ");
      const isText = given.every((value) => typeof value === "string");
      send({
        level,
        text: isText ? mask.hide(text) : mask.excerptWithEllipsis(text, maxLength),
        from: mask.hide(from),
      });
    };
  return Object.assign(at("info"), { info: at("info"), warn: at("warn"), error: at("error") });
}

/** The most characters logged of an object, which may be huge. */
const maxLength = 10_000;

/** Prints on one line. Strings are not cut, so that the mask finds secrets in them whole. */
const shown = { depth: 4, maxArrayLength: 50, maxStringLength: Infinity, breakLength: Infinity };

function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    if (!(value instanceof Error)) return inspect(value, shown);
  } catch {
    // A value's own code may throw when it is inspected.
  }
  return textOf(value) ?? "(no text)";
}
