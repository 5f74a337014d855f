import { z } from "@bearhug/sdk/internal";
import type { Finding } from "../capture.ts";
import { maxElementBytes, maxNesting } from "./held-bytes.ts";
import type { ValueCutter } from "./value-cutter.ts";

const maxMiB = maxElementBytes / 2 ** 20;

const entryWithBody = z.compile(z.object({ response: z.object({ content: z.object({ text: z.null() }) }) }));

/**
 * The JSON that was cut out; null where it cannot be used, which is then a finding.
 *
 * @param wantsBody Asked about an entry without its response's body: whether that is to be put into it.
 */
export function parseHeld(
  { held, isTooDeep }: ValueCutter,
  path: string,
  findings: Finding[],
  wantsBody: (json: unknown) => boolean = () => false,
): { readonly json: unknown } | null {
  const report = (at: string, problem: string): null => {
    findings.push({ path: at, problem });
    return null;
  };
  if (held.isTooLarge) return report(path, `is larger than ${maxMiB} MiB; skipped`);
  if (isTooDeep) return report(path, `is nested more than ${maxNesting} levels deep; skipped`);
  const value = tryParse(held.text());
  if (value === undefined) return report(path, "is not valid JSON; skipped");

  const bodyPath = `${path}.response.content.text`;
  if (held.hasTooLargeBody) {
    report(bodyPath, `makes the entry larger than ${maxMiB} MiB; body skipped`);
    return { json: value };
  }
  const bodyText = wantsBody(value) ? held.bodyText() : null;
  if (bodyText === null) return { json: value };
  const body = tryParse(bodyText);
  if (typeof body === "string") putBody(value, body);
  else report(bodyPath, "is not valid JSON; body skipped");
  return { json: value };
}

/** undefined when the text is not JSON. The engine's own words are of no use: they quote the file, which has secrets. */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value is this file's own, fresh from the parser: it is completed, not changed. */
function putBody(value: unknown, body: string): void {
  if (!entryWithBody.safeParse(value).success) return;
  const { response } = value as { response: { content: { text: unknown } } };
  response.content.text = body;
}
