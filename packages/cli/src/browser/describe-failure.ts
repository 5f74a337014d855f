import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";

import { readProperty, readThrown } from "@bearhug/plan/protocol/read-thrown";
import { bundlePositions } from "@bearhug/plan/test-file/bundle-positions";
import type { LocatedSource, SourceLines } from "@bearhug/plan/test-file/source-lines";
import { writePosition } from "@bearhug/sdk/internal";
import { secretsIn } from "@bearhug/text/given-secrets";
import { createMask } from "@bearhug/text/secret-mask";

/** The script that failed, and the bundle that ran in its stead. */
export interface FailedScript {
  readonly file: string;
  readonly path: string;
  readonly lines: SourceLines;
  /** Stands before the message where no line of the script's failed. */
  readonly word: string;
}

/** An error of a script, as Playwright's own runner shows it. */
export interface DescribedRecordingFailure {
  /** The place and the first line of the message. */
  readonly problem: string;
  /** The rest of it, which is a log of what Playwright waited for; the code around the place, and the stack. */
  readonly details: readonly string[];
}

/** Describes what a script threw. Secrets of the environment are masked: a log of Playwright's has what was typed. */
export function describeRecordingFailure(thrown: unknown, script: FailedScript): DescribedRecordingFailure {
  const { hide } = createMask(secretsIn({ ...process.env }));
  const [first = "", ...log] = hide(messageOf(thrown, script)).split("\n");
  const places = placesOf(thrown, script);
  const [place] = places;
  if (place === undefined)
    return { problem: `--script ${script.file}: ${script.word}${first}`, details: withoutBlankEnd(log) };
  const frame = place.frame === null ? [] : ["", ...hide(place.frame, "source").split("\n")];
  const stack = places.map((one) => `    at ${writePosition(one.source)}`);
  const problem = `${writePosition(place.source)}: ${first}`;
  return { problem, details: [...withoutBlankEnd(log), ...frame, "", ...stack] };
}

/** With the class of the error, and the names of the sources in place of the bundle's. */
function messageOf(thrown: unknown, { file, path }: FailedScript): string {
  const { reason } = readThrown(thrown);
  const name = readProperty(thrown, "name");
  const message = typeof name === "string" && name !== "" ? `${name}: ${reason}` : reason;
  return stripVTControlCharacters(message)
    .replaceAll(pathToFileURL(path).href, pathToFileURL(resolve(file)).href)
    .replaceAll(path, file);
}

/** The places in the script and its own modules that the stack names, the innermost first. */
function placesOf(thrown: unknown, { path, lines }: FailedScript): LocatedSource[] {
  return bundlePositions(readThrown(thrown).stack ?? "", path)
    .filter((position) => lines.isOwn(position))
    .flatMap((position) => lines.locate(position) ?? []);
}

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== "") + 1);
}
