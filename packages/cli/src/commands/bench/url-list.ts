import { readStandardInput, standardInput } from "@bearhug/plan/test-file/standard-input";
import { decodeText, describeUnreadable, readTextFile } from "@bearhug/plan/test-file/text-encoding";
import { InvalidInput } from "@bearhug/sdk";

/** A URL of the command line, or a line of `--urls`. */
export interface ListedUrl {
  readonly url: string;
  readonly weight: number;
  /** Null: the method of the command line. */
  readonly method: string | null;
  /** File and line, the start of each problem message; empty for an argument. */
  readonly place: string;
}

/** `[weight] [METHOD] URL` */
const linePattern = /^(?:(\d+(?:\.\d+)?)\s+)?(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s+)?(\S+)$/;

/** Reads the file of `--urls`: a URL in each line. Empty lines and those that begin with # are left out. */
export function readUrlList(path: string, problems: string[]): ListedUrl[] {
  const text = readText(path, problems);
  if (text === null) return [];
  const urls = text
    .split(/\r?\n/)
    .flatMap((line, index) => readLine(line.trim(), `--urls ${path}: line ${index + 1}: `, problems));
  if (urls.length === 0 && problems.length === 0) problems.push(`--urls ${path}: contains no URL.`);
  return urls;
}

function readLine(line: string, place: string, problems: string[]): ListedUrl[] {
  if (line === "" || line.startsWith("#")) return [];
  const [, weight = "1", method = null, url] = linePattern.exec(line) ?? [];
  if (url === undefined) {
    problems.push(`${place}must be written "[weight] [METHOD] URL".`);
    return [];
  }
  if (Number(weight) > 0) return [{ url, weight: Number(weight), method, place }];
  problems.push(`${place}the weight must be above 0.`);
  return [];
}

function readText(path: string, problems: string[]): string | null {
  try {
    return path === standardInput ? decodeText(readStandardInput()) : readTextFile(path);
  } catch (error) {
    problems.push(
      ...(error instanceof InvalidInput ? error.problems : [`--urls ${path}: ${describeUnreadable(error)}`]),
    );
    return null;
  }
}
