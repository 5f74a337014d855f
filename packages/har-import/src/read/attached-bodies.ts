import { z } from "@bearhug/sdk/internal";
import type { Finding } from "../capture.ts";
import { anything, text } from "./json-fields.ts";

/**
 * Returns the bytes of a body that Playwright keeps in a separate file, beside the capture or in one archive
 * with it; null if there is no such file. It is called only with names that Playwright writes: a hash and an
 * extension.
 */
export type BodyOf = (name: string) => Promise<Uint8Array | null>;

/** The names that Playwright gives to bodies. No other text of a capture ever selects a file. */
const bodyName = /^[0-9a-f]{40}(?:\.[0-9a-z]{1,20})?$/;

const holderSchema = z.compile(
  z
    .object({ _file: z.string().nullable().catch(null), text })
    .nullable()
    .catch(null),
);
const entrySchema = z.compile(
  z.object({
    request: z.object({ postData: anything }).catch({ postData: undefined }),
    response: z.object({ content: anything }).catch({ content: undefined }),
  }),
);

/**
 * Inserts the bodies that an entry keeps in separate files, as if they had been recorded inline: the
 * request's and, if `bodies` is true, the response's. A name that Playwright would not write, and a missing
 * file, are findings.
 */
export async function attachBodies(
  entry: unknown,
  index: number,
  { bodies = true, bodyOf }: { readonly bodies?: boolean; readonly bodyOf?: BodyOf },
  findings: Finding[],
): Promise<void> {
  const parsed = entrySchema.safeParse(entry);
  if (!parsed.success) return;
  const { request, response } = parsed.data;
  const path = `$.log.entries[${index}]`;
  await attach(request.postData, `${path}.request.postData._file`);
  if (bodies) await attach(response.content, `${path}.response.content._file`);

  async function attach(target: unknown, at: string): Promise<void> {
    const holder = holderSchema.parse(target);
    // Beside the file name of a request's body, Playwright writes an empty text.
    const name = holder?.text === "" ? holder._file : null;
    if (name === null) return;
    if (!bodyName.test(name)) {
      findings.push({ path: at, problem: "is not a valid body file name; body skipped" });
      return;
    }
    const bytes = bodyOf === undefined ? null : await bodyOf(name);
    if (bytes === null) findings.push({ path: at, problem: "names a body file that does not exist" });
    else Object.assign(Object(target), written(bytes));
  }
}

/** Returns a body in the form that HAR uses. */
function written(bytes: Uint8Array): { readonly text: string; readonly encoding: string } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), encoding: "" };
  } catch {
    return { text: base64Of(bytes), encoding: "base64" };
  }
}

/**
 * The size of a piece: a call takes a limited number of arguments. Divisible by 3, so that only the last is
 * padded.
 */
const pieceBytes = 0x6000;

function base64Of(bytes: Uint8Array): string {
  let base64 = "";
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    base64 += btoa(String.fromCharCode(...bytes.subarray(at, at + pieceBytes)));
  }
  return base64;
}
