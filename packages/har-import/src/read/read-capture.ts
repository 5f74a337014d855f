import type { Capture, CaptureEntry, CapturePage, Finding } from "../capture.ts";
import { type BodyOf, attachBodies } from "./attached-bodies.ts";
import { KnownHeaders } from "./known-headers.ts";
import { readEntry } from "./read-entry.ts";
import { readPage } from "./read-page.ts";
import { scanCapture } from "./scan-capture.ts";
import type { Chunks } from "./scanned-item.ts";

export interface ReadOptions {
  /**
   * Whether responses' bodies are wanted. Without them every `body` is null, and what is in memory is small, however
   * large the file is. @default true
   */
  readonly bodies?: boolean;
  /** Where bodies are that the capture has in files of their own. @default they are taken as not recorded */
  readonly bodyOf?: BodyOf;
}

/**
 * Reads a HAR file, tolerantly: what cannot be understood is a finding, and the rest is read.
 *
 * @param chunks The file's bytes, in pieces of any size.
 * @throws CaptureError when the file as a whole is no capture.
 */
export async function readCapture(chunks: Chunks, options: ReadOptions = {}): Promise<Capture> {
  const pages: CapturePage[] = [];
  const entries: CaptureEntry[] = [];
  const findings: Finding[] = [];
  const known = new KnownHeaders();
  for await (const item of scanCapture(chunks, options)) {
    if (item.kind === "finding") findings.push(item.finding);
    else if (item.kind === "page") pages.push(readPage(item.json));
    else if (item.kind === "entry") {
      await attachBodies(item.json, item.index, options, findings);
      const entry = readEntry(item.json, item.index, findings, known);
      if (entry !== null) entries.push(entry);
    }
  }
  return { pages, entries, findings };
}
