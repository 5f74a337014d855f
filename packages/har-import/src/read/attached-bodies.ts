import { z } from "@bearhug/sdk/internal";
import type { Finding } from "../capture.ts";
import { anything, text } from "./json-fields.ts";

/**
 * Playwright can keep bodies in files of their own, beside the capture or in one archive with it. Gives the bytes of
 * such a file; null where there is none. It is asked for names alone that Playwright gives: a hash and an extension.
 */
export type BodyOf = (name: string) => Promise<Uint8Array | null>;

/** As Playwright names bodies. Nothing else of a capture ever chooses a file. */
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
 * Puts the bodies that an entry names into it, as if they had been written there: of the request, and of the response
 * where it is wanted. A name that is none of Playwright's, and a file that is not there, are findings.
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
    // Beside the name of what was sent, Playwright writes an empty text.
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

/** As HAR writes a body. */
function written(bytes: Uint8Array): { readonly text: string; readonly encoding: string } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), encoding: "" };
  } catch {
    return { text: base64Of(bytes), encoding: "base64" };
  }
}

/** Pieces, for a call takes only so many arguments. Divisible by 3, so that none but the last is padded. */
const pieceBytes = 0x6000;

function base64Of(bytes: Uint8Array): string {
  let base64 = "";
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    base64 += btoa(String.fromCharCode(...bytes.subarray(at, at + pieceBytes)));
  }
  return base64;
}
