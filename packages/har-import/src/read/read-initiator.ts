import { z } from "zod";
import type { Initiator } from "../capture.ts";
import { anything, list, text } from "./json-fields.ts";

const initiatorSchema = z.compile(
  z.object({ type: text, url: text, stack: anything }).nullable().catch(null),
);
const stackSchema = z.compile(z.object({ callFrames: list, parent: anything }));
const frameSchema = z.compile(z.object({ url: z.string().min(1) }));

/** Asynchronous calls that led to one another: no more of them are looked through. */
const maxStacks = 64;

/**
 * What made the browser send a request. Chrome writes an object; recorders built on its protocol write a URL, and the
 * type beside it.
 */
export function readInitiator(raw: unknown, typeBeside: string): Initiator | null {
  if (typeof raw === "string") return raw === "" && typeBeside === "" ? null : initiatorOf(typeBeside, raw);
  const initiator = initiatorSchema.parse(raw);
  if (initiator === null) return typeBeside === "" ? null : initiatorOf(typeBeside, "");
  const { type, url, stack } = initiator;
  return initiatorOf(type === "" ? typeBeside : type, url === "" ? topmostScript(stack) : url);
}

function initiatorOf(type: string, url: string): Initiator {
  return { type: type.toLowerCase(), url: url === "" ? null : url };
}

/** The script whose function was running, or which had asked for that to be run later; "" where none is told. */
function topmostScript(stack: unknown): string {
  let current = stack;
  for (let count = 0; count < maxStacks; count++) {
    const parsed = stackSchema.safeParse(current);
    if (!parsed.success) return "";
    for (const raw of parsed.data.callFrames) {
      const frame = frameSchema.safeParse(raw);
      if (frame.success) return frame.data.url;
    }
    current = parsed.data.parent;
  }
  return "";
}
