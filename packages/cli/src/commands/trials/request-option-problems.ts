import type { RequestFlags } from "../bench/bench-requests.ts";

const names = {
  method: "-X",
  body: "-b",
  bodyFile: "-p",
  bodySize: "--body-size",
  user: "-u",
  urls: "--urls",
};

/** Returns a sentence about request options that were given for a test, which would ignore them. */
export function requestOptionsOfTest(flags: RequestFlags): string[] {
  const given = [
    ...(flags.header.length > 0 ? ["-H"] : []),
    ...(["method", "body", "bodyFile", "bodySize", "user", "urls"] as const)
      .filter((name) => flags[name] !== undefined)
      .map((name) => names[name]),
    ...(flags.compressed ? ["--compressed"] : []),
  ];
  return given.length === 0 ? [] : [`${given.join(", ")}: only for a URL. A test says itself what it sends.`];
}

/**
 * Returns a sentence about an argument after the test, for commands that accept several URLs but one test.
 */
export function unexpectedArgument(text: string): string {
  return `"${text}": unexpected argument. Give one test, or URLs only.`;
}

/** Returns a sentence about variants in a series of runs, which does not compare them. */
export function variantsOfSingleRuns(variants: readonly string[] = []): string[] {
  return variants.length === 0 ? [] : ["--variant: only bearhug run and bearhug <url> compare variants."];
}
