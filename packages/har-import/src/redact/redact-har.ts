import { type CaptureEntry, CaptureError, type CapturePage, type CaptureSource } from "../capture.ts";
import { attachBodies, type BodyOf } from "../read/attached-bodies.ts";
import { readPage } from "../read/read-capture.ts";
import { readEntry } from "../read/read-entry.ts";
import { scanCapture } from "../read/scan-capture.ts";
import { passwordInputsOf } from "../secrets/password-inputs.ts";
import { KnownSecrets } from "../secrets/known-secrets.ts";
import { redactEntry, redactPage } from "./redact-entry.ts";
import { createCollector, createRedactor } from "./redactor.ts";

/** Replaces the recorder's own name and version. */
const creator = { name: "bearhug, redacted", version: "1" };

/**
 * Writes a capture that can be shared: the same pages, requests and responses, with stable placeholders for
 * secrets, so that it is understood like the original. Reads the original twice, because a secret may first
 * occur where no name reveals it. Images and other bytes are left out.
 *
 * @returns The file's text, in pieces.
 * @throws CaptureError when the file as a whole is not a capture.
 */
export async function* redactHar(
  open: CaptureSource,
  options: { readonly bodyOf?: BodyOf } = {},
): AsyncGenerator<string> {
  const known = new KnownSecrets();
  const passwordInputs = new Set<string>();
  const collector = createCollector(known, passwordInputs);
  const pages: CapturePage[] = [];
  let isEmpty = true;
  for await (const item of readItems(open, options)) {
    if ("page" in item) pages.push(item.page);
    else isEmpty = false;
    if ("page" in item) redactPage(item.page, collector);
    if ("page" in item || item.entry === null) continue;
    for (const name of passwordInputsOf(item.entry)) passwordInputs.add(name);
    redactEntry(item.entry, collector);
  }
  if (isEmpty) throw new CaptureError("The capture has no entries: nothing was recorded.");

  const redactor = createRedactor(known, passwordInputs);
  const head = { version: "1.2", creator, pages: pages.map((page) => redactPage(page, redactor)) };
  yield `{"log":${JSON.stringify(head).slice(0, -1)},"entries":[`;
  let separator = "\n";
  for await (const item of readItems(open, options)) {
    if ("page" in item) continue;
    yield separator + JSON.stringify(item.entry === null ? {} : redactEntry(item.entry, redactor));
    separator = ",\n";
  }
  yield "\n]}}\n";
}

/** An entry that could not be read is null: those after it keep their indexes. */
type ReadItem = { readonly page: CapturePage } | { readonly entry: CaptureEntry | null };

async function* readItems(
  open: CaptureSource,
  options: { readonly bodyOf?: BodyOf },
): AsyncGenerator<ReadItem> {
  let count = 0;
  for await (const item of scanCapture(open())) {
    if (item.kind === "page") yield { page: readPage(item.json) };
    if (item.kind !== "entry") continue;
    for (; count < item.index; count++) yield { entry: null };
    count++;
    await attachBodies(item.json, item.index, options, []);
    yield { entry: readEntry(item.json, item.index, []) };
  }
}
