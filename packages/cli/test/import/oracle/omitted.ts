import { isMadeOf } from "./pieces.ts";
import type { RecordedRequest } from "./recorded-exchange.ts";

/** The requests to one host that the import skipped for one reason, as `--explain` prints them. */
export interface Omitted {
  /** The host, possibly shortened, and the reason. */
  readonly head: string;
  readonly count: number;
  readonly requests: readonly { readonly text: string; readonly count: number }[];
}

/** Reads the section "skipped" of the output of `bearhug import --explain`. */
export function readOmitted(explained: string): Omitted[] {
  const lines = explained.split("\n");
  const omitted: { head: string; count: number; requests: { text: string; count: number }[] }[] = [];
  const from = lines.indexOf("skipped");
  for (const line of from === -1 ? [] : lines.slice(from + 1)) {
    const group = /^ {0,5}(\d+) {2}(\S.*)$/.exec(line);
    const request = /^ {10}(\S.*?)(?: \((\d+) times\))?$/.exec(line);
    if (group !== null) omitted.push({ head: group[2] ?? "", count: Number(group[1]), requests: [] });
    else if (request === null) break;
    else if (!/^and \d+ more$/.test(request[1] ?? ""))
      omitted.at(-1)?.requests.push({ text: request[1] ?? "", count: Number(request[2] ?? 1) });
  }
  return omitted;
}

/** The skipped lines. Each can account for as many requests as its count. */
export class Omissions {
  readonly #groups: { readonly head: string; left: number; hidden: number; texts: Map<string, number> }[];

  constructor(omitted: readonly Omitted[]) {
    this.#groups = omitted.map(({ head, count, requests }) => ({
      head,
      left: count,
      hidden: count - requests.reduce((sum, request) => sum + request.count, 0),
      texts: new Map(requests.map((request) => [request.text, request.count])),
    }));
  }

  /**
   * Returns the reason for skipping this request, and uses up one count of its line; null if no line fits.
   */
  take(request: RecordedRequest): string | null {
    const ofHost = this.#groups.filter(({ head, left }) => left > 0 && isHeadOf(head, request));
    for (const group of ofHost)
      for (const [text, count] of group.texts)
        if (count > 0 && isShownAs(request, text)) {
          group.texts.set(text, count - 1);
          group.left--;
          return group.head;
        }
    const group = ofHost.find(({ hidden }) => hidden > 0);
    if (group === undefined) return null;
    group.hidden--;
    group.left--;
    return group.head;
  }

  /** Returns the lines that count more requests than the capture has. */
  rest(): string[] {
    return this.#groups.filter(({ left }) => left > 0).map(({ head, left }) => `${left} more: ${head}`);
  }
}

/** True if a line may be about this request, as far as the shortened line shows. */
export function mayBeOmitted(request: RecordedRequest, omitted: readonly Omitted[]): boolean {
  return omitted.some(
    ({ head, requests, count }) =>
      isHeadOf(head, request) &&
      (requests.some(({ text }) => isShownAs(request, text)) ||
        requests.reduce((sum, one) => sum + one.count, 0) < count),
  );
}

function isHeadOf(head: string, { host }: RecordedRequest): boolean {
  const [shown = ""] = head.split(": ", 1);
  return host === "" ? !shown.includes(".") : matches(host, shown);
}

function isShownAs({ method, url, host }: RecordedRequest, text: string): boolean {
  const rest = host === "" ? url : url.replace(/^[a-z]+:\/\/[^/?#]*/i, "");
  const [path = "", ...query] = rest.split("?");
  const names = query.map((part) => part.replaceAll(/=[^&]*/g, ""));
  // A URL other than HTTP is shown without its content, and a URL with a secret without its query.
  const isCutShort = !/^https?:|^\//i.test(url) || text.includes("***");
  return matches(`${method} ${[path, ...names].join("?")}`, text, isCutShort);
}

/**
 * True if the shown text may stand for the whole one: long texts are cut in the middle, and secrets are
 * masked with stars.
 */
function matches(whole: string, shown: string, isCutShort = false): boolean {
  return isMadeOf(whole, shown.split(/…|\*+/), isCutShort);
}
