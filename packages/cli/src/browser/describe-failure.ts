import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";

import { writePosition } from "@bearhug/metrics/results/source-position";
import { readProperty, readThrown } from "@bearhug/plan/protocol/read-thrown";
import { bundlePositions } from "@bearhug/plan/test-file/bundle-positions";
import type { LocatedSource, SourceLines } from "@bearhug/plan/test-file/source-lines";
import { secretsIn } from "@bearhug/text/data-secrets";
import { createMask } from "@bearhug/text/secret-mask";

/** A failed script, and the bundle that ran in its place. */
export interface FailedScript {
  readonly file: string;
  readonly path: string;
  readonly lines: SourceLines;
  /** Precedes the message if no place in the script is known. */
  readonly word: string;
}

/** An error of a script, in the format of Playwright's own runner. */
export interface DescribedRecordingFailure {
  /** The place and the first line of the message. */
  readonly problem: string;
  /**
   * The rest of the message (Playwright's log of what it waited for), the code around the place, and the
   * stack.
   */
  readonly details: readonly string[];
}

/**
 * Describes an error that a script threw. Secrets of the environment are masked, because Playwright's log
 * contains typed text.
 */
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

/** Returns the message with the error's class, and with the names of sources instead of the bundle's. */
function messageOf(thrown: unknown, { file, path }: FailedScript): string {
  const { reason } = readThrown(thrown);
  const name = readProperty(thrown, "name");
  const message = typeof name === "string" && name !== "" ? `${name}: ${reason}` : reason;
  return stripVTControlCharacters(message)
    .replaceAll(pathToFileURL(path).href, pathToFileURL(resolve(file)).href)
    .replaceAll(path, file);
}

/** Returns the places of the stack in the script and its own modules, innermost first. */
function placesOf(thrown: unknown, { path, lines }: FailedScript): LocatedSource[] {
  return bundlePositions(readThrown(thrown).stack ?? "", path)
    .filter((position) => lines.isOwn(position))
    .flatMap((position) => lines.locate(position) ?? []);
}

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== "") + 1);
}
