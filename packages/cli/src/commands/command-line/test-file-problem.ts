import { existsSync, statSync } from "node:fs";
import { extname } from "node:path";

import { standardInput, standardInputProblem } from "@bearhug/plan/test-file/standard-input";

const endings = [".ts", ".js", ".mts", ".mjs", ".har"];
const testFile = /\.(?:[cm]?[jt]sx?|har(?:\.gz|\.zip)?)$/i;

/** True if the name ends like a capture's. Every other file is code for the bundler. */
export function isCapture(file: string): boolean {
  return /\.har(?:\.gz|\.zip)?$|\.zip$/i.test(file);
}

/** Returns a sentence if an address is really the path of a test or a capture; otherwise null. */
export function testFileProblem(address: string): string | null {
  if (isForeignTest(address)) return runFileProblem(address);
  if (!testFile.test(address) || /^[a-z][a-z\d+.-]*:\/\//i.test(address)) return null;
  if (isFile(address))
    return `"${address}" is a file, not an address. Did you mean "bearhug run ${address}"?`;
  // A host may serve a path with such an ending. The first part of a file's path has neither dot nor port.
  const isPath =
    /^[./~\\]/.test(address) || !/[/:]/.test(address) || /^(?!localhost\/)[^.:/]+\//.test(address);
  if (!isPath) return null;
  return `There is no file ${address}. If it is an address, write http://${address.replace(/^\/+/, "")}.`;
}

/**
 * Returns a sentence for a path that `run` cannot use; null for a test or a recording. A name without an
 * ending is a test, and so is standard input.
 */
export function runFileProblem(path: string): string | null {
  if (path === standardInput) return standardInputProblem();
  const what = "a test is a .ts or .js file, a capture a .har file";
  if (existsSync(path) && !isFile(path)) return `${path} is ${otherKind(path)}; ${what}.`;
  if (isFile(path)) return isRunnable(path) ? null : `${path} cannot be run; ${what}.${portingHint(path)}`;
  if (/^https?:\/\//i.test(path)) return `${path} is an address, not a file. To load it: bearhug ${path}.`;
  const meant = endings.map((ending) => path + ending).find(isFile);
  return `There is no file ${path}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`;
}

/** Returns a sentence for a path that is not a test, captures included; otherwise null. */
export function onlyTestProblem(path: string): string | null {
  if (!isCapture(path)) return runFileProblem(path);
  return `${path} is a capture, not a test. Make a test of it: bearhug import ${path}.`;
}

/** Tests of other tools, by their endings, and the page of the docs about them. */
const foreignTests: readonly { readonly ending: RegExp; readonly tool: string; readonly page: string }[] = [
  { ending: /\.ya?ml$/i, tool: "an Artillery test", page: "docs/artillery.md" },
  { ending: /\.py$/i, tool: "a Locust test", page: "docs/locust-jmeter-gatling.md" },
  { ending: /\.jmx$/i, tool: "a JMeter test", page: "docs/locust-jmeter-gatling.md" },
  { ending: /\.(?:scala|kt|java)$/i, tool: "a Gatling test", page: "docs/locust-jmeter-gatling.md" },
];

/** Returns a pointer to the page about porting tests of that tool; empty for any other file. */
function portingHint(path: string): string {
  const found = foreignTests.find(({ ending }) => ending.test(path));
  return found === undefined ? "" : ` If it is ${found.tool}, ${found.page} shows how to port it.`;
}

function isRunnable(path: string): boolean {
  return testFile.test(path) || isCapture(path) || extname(path) === "";
}

function otherKind(path: string): string {
  return statSync(path).isDirectory() ? "a folder" : "a device or a pipe";
}

/**
 * True for an existing test of another tool. Without such a file, the text may be an address with that
 * ending.
 */
function isForeignTest(path: string): boolean {
  return foreignTests.some(({ ending }) => ending.test(path)) && isFile(path);
}

/** True for a regular file; false if the path is missing or inaccessible. */
function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
