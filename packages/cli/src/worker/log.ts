import type { Log } from "@bearhug/sdk";

import type { LogLine } from "../protocol/messages.ts";
import type { Mask } from "../secret-mask.ts";
import { textOf } from "../protocol/read-thrown.ts";

/** `log` of a test; `from` says where a line comes from. */
export function createLog(send: (line: LogLine) => void, mask: Mask, from: string): Log {
  const at =
    (level: LogLine["level"]) =>
    (given: unknown): void => {
      const text = typeof given === "string" ? given : (textOf(given) ?? "(no text)");
      send({ level, text: mask.hide(text), from: mask.hide(from) });
    };
  return Object.assign(at("info"), { info: at("info"), warn: at("warn"), error: at("error") });
}
