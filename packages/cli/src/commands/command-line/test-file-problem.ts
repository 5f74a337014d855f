import { existsSync, statSync } from "node:fs";
import { extname } from "node:path";

import { standardInput, standardInputProblem } from "@bearhug/plan/test-file/standard-input";

const endings = [".ts", ".js", ".mts", ".mjs", ".har"];
const testFile = /\.(?:[cm]?[jt]sx?|har(?:\.gz|\.zip)?)$/i;

/** By its ending: a capture is data, everything else is code for the bundler. */
export function isCapture(file: string): boolean {
  return /\.har(?:\.gz|\.zip)?$|\.zip$/i.test(file);
}

/** A sentence for an address that is the path of a test or a capture, which `run` takes; null for any other. */
export function testFileProblem(address: string): string | null {
  if (isForeignTest(address)) return runFileProblem(address);
  if (!testFile.test(address) || /^[a-z][a-z\d+.-]*:\/\//i.test(address)) return null;
  if (isFile(address))
    return `"${address}" is a file, not an address. Did you mean "bearhug run ${address}"?`;
  // A host with a path behind it may well serve such a file; a folder's name has neither a dot nor a port.
  const isPath =
    /^[./~\\]/.test(address) || !/[/:]/.test(address) || /^(?!localhost\/)[^.:/]+\//.test(address);
  if (!isPath) return null;
  return `There is no file ${address}. If it is an address, write http://${address.replace(/^\/+/, "")}.`;
}

/**
 * A sentence for a path that `run` cannot take; null if it is a test or a recording. A name without an ending is a test, and
 * so is standard input.
 */
export function runFileProblem(path: string): string | null {
  if (path === standardInput) return standardInputProblem();
  const what = "a test is a .ts or .js file, a capture a .har file";
  if (existsSync(path) && !isFile(path)) return `${path} is ${otherKind(path)}; ${what}.`;
  if (isFile(path)) return isRunnable(path) ? null : `${path} cannot be run; ${what}.${portingHint(path)}`;
  const meant = endings.map((ending) => path + ending).find(isFile);
  return `There is no file ${path}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`;
}

/** The same where a capture will not do. */
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

/** Points to the page about porting a test of another tool; empty for any other file. */
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

/** True for a file that another tool would run: an address may end as its name does. */
function isForeignTest(path: string): boolean {
  return foreignTests.some(({ ending }) => ending.test(path)) && isFile(path);
}

/** False also for a path that the system cannot look at. */
function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
