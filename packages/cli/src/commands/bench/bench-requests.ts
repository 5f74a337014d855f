import type { UrlRequest } from "@bearhug/plan/protocol/definition-source";

import { basicAuthorization, readAddress } from "./bench-address.ts";
import { readBody, type BodyFlags } from "./bench-body.ts";
import { readUrlList, type ListedUrl } from "./url-list.ts";

/** The flags of `bearhug <url>` about the request, unparsed. */
export interface RequestFlags extends BodyFlags {
  readonly header: readonly string[];
  readonly method?: string;
  readonly user?: string;
  readonly compressed: boolean;
  readonly urls?: string;
}

type Header = readonly [name: string, value: string];

/** Reads the requests of `bearhug <url>`: one for each URL of the command line and each line of `--urls`. */
export function readRequests(
  urls: readonly string[],
  flags: RequestFlags,
  problems: string[],
  missing = "<url> is missing. See bearhug bench --help.",
): readonly UrlRequest[] {
  problems.push(...urls.slice(1).filter(isBareWord).map(describeBareWord));
  const given = urls.map((url): ListedUrl => ({ url, weight: 1, method: null, place: "" }));
  const listed = flags.urls === undefined ? [] : readUrlList(flags.urls, problems);
  if (given.length === 0 && flags.urls === undefined) {
    problems.push(missing);
  }
  return [...given, ...listed].map(createReader(flags, problems));
}

/** Returns the files that requests are read from; reports must not overwrite them. */
export function filesOf({ bodyFile, body, urls }: RequestFlags): (string | undefined)[] {
  return [bodyFile, urls, body?.startsWith("@") === true ? body.slice(1) : undefined];
}

/** Reads the options that all requests share, and returns a function that reads one request. */
function createReader(flags: RequestFlags, problems: string[]): (listed: ListedUrl) => UrlRequest {
  const body = readBody(flags, problems);
  const method = readMethod("-X ", flags.method, problems) ?? (body === null ? "GET" : "POST");
  const headers = [...readHeaders(flags.header, problems), ...readUser(flags, problems)];
  if (flags.compressed) headers.push(["accept-encoding", "gzip, deflate, br, zstd"]);
  problems.push(...repeatedHeaders(headers, flags));
  return ({ url, place, weight, method: own }) => {
    const { href, authorization } = readAddress(url, place, problems);
    if (authorization !== null && has(headers, "authorization")) {
      const flag = flags.user === undefined ? "-H authorization" : "-u";
      problems.push(`${place}${flag}: the URL contains a user, too. Remove one of them.`);
    }
    const named = readMethod(place, own ?? undefined, problems);
    return {
      method: named ?? method,
      url: href,
      headers: authorization === null ? headers : [...headers, ["authorization", authorization]],
      // A line of --urls with GET or HEAD sends no body, even if the other requests have one.
      body: named === "GET" || named === "HEAD" ? null : body,
      weight,
    };
  };
}

/**
 * True for a word without dot, colon or slash: more likely a slip, such as the value of a mistyped option,
 * than a host.
 */
function isBareWord(url: string): boolean {
  return /^[^.:/]+$/.test(url) && url.toLowerCase() !== "localhost";
}

function describeBareWord(word: string): string {
  return `"${word}": unexpected argument. If it is a host to load, too, write http://${word}/.`;
}

function readMethod(place: string, method: string | undefined, problems: string[]): string | null {
  if (method === undefined) return null;
  const read = method.toUpperCase();
  if (!/^[!#$%&'*+.^_`|~0-9A-Z-]+$/.test(read)) problems.push(`${place}${read}: is not an HTTP method.`);
  if (read === "CONNECT") problems.push(`${place}CONNECT: opens a tunnel and cannot be used here.`);
  return read;
}

function readHeaders(texts: readonly string[], problems: string[]): Header[] {
  return texts.flatMap((text): Header[] => {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*([^\r\n]*)$/.exec(text) ?? [];
    if (name !== undefined && value !== undefined) return [[name, value]];
    problems.push(`-H "${text}": must be written "name: value".`);
    return [];
  });
}

/**
 * Reads `-u` as basic authentication. The problem message leaves the value out: it may be a password alone.
 */
function readUser({ user: text }: RequestFlags, problems: string[]): Header[] {
  if (text === undefined) return [];
  const [, user, password] = /^([^:]+):(.*)$/s.exec(text) ?? [];
  if (user !== undefined && password !== undefined) {
    return [["authorization", basicAuthorization(user, password)]];
  }
  problems.push("-u: must be written user:password.");
  return [];
}

/** Returns a sentence for each header that both its own flag and -H set. */
function repeatedHeaders(headers: readonly Header[], { user, compressed }: RequestFlags): string[] {
  const flags = [
    ...(user === undefined ? [] : [["-u", "authorization"] as const]),
    ...(compressed ? [["--compressed", "accept-encoding"] as const] : []),
  ];
  return flags
    .filter(([, name]) => headers.filter(([other]) => other.toLowerCase() === name).length > 1)
    .map(([flag, name]) => `${flag}, -H ${name}: both set this header. Remove one of them.`);
}

function has(headers: readonly Header[], lowerName: string): boolean {
  return headers.some(([name]) => name.toLowerCase() === lowerName);
}
