import { statSync } from "node:fs";

const testFile = /\.(?:[cm]?[jt]sx?|har(?:\.gz|\.zip)?)$/i;

/** A sentence for an address that is the path of a test or a capture, which `run` takes; null for any other. */
export function testFileProblem(address: string): string | null {
  if (!testFile.test(address) || /^[a-z][a-z\d+.-]*:\/\//i.test(address)) return null;
  if (statSync(address, { throwIfNoEntry: false })?.isFile() === true)
    return `"${address}" is a file, not an address. Did you mean "bearhug run ${address}"?`;
  // A host with a path behind it may well serve such a file.
  const isPath = /^[./~\\]/.test(address) || !/[/:]/.test(address);
  if (!isPath) return null;
  return `There is no file ${address}. If it is an address, write http://${address.replace(/^\/+/, "")}.`;
}
