import { inspect } from "node:util";

import type { LogLine } from "@bearhug/plan/protocol/messages";
import { textOf } from "@bearhug/plan/protocol/read-thrown";
import type { Log } from "@bearhug/sdk";
import type { Mask } from "@bearhug/text/secret-mask";

/** `log` of a test; `from` says where a line comes from. */
export function createLog(send: (line: LogLine) => void, mask: Mask, from: string): Log {
  const at =
    (level: LogLine["level"]) =>
    (...given: readonly unknown[]): void => {
      const text = given.map(textIn).join(" ");
      const isText = given.every((value) => typeof value === "string");
      send({ level, text: isText ? mask.hide(text) : mask.begin(text, longest), from: mask.hide(from) });
    };
  return Object.assign(at("info"), { info: at("info"), warn: at("warn"), error: at("error") });
}

/** An object may hold a whole site. */
const longest = 10_000;

/** On one line. A text in it is not cut before its secrets are looked for. */
const shown = { depth: 4, maxArrayLength: 50, maxStringLength: Infinity, breakLength: Infinity };

function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    if (!(value instanceof Error)) return inspect(value, shown);
  } catch {
    // A value of the test's own may throw when it is looked at.
  }
  return textOf(value) ?? "(no text)";
}
