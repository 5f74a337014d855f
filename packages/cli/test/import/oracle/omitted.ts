import { isMadeOf } from "./pieces.ts";
import type { RecordedRequest } from "./recorded-exchange.ts";

/** What `--explain` says of the requests to one host that it left out for one reason. */
export interface Omitted {
  /** Of the host, as far as it is shown, and the reason. */
  readonly head: string;
  readonly count: number;
  readonly requests: readonly { readonly text: string; readonly count: number }[];
}

/** Reads the last section of what `bearhug import --explain` prints. */
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

/** The lines that are left to account for requests, each for as many as it says. */
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

  /** The reason that a line gives for leaving out this request, which it can give once less; null if there is none. */
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

  /** Lines for more requests than the capture has. */
  rest(): string[] {
    return this.#groups.filter(({ left }) => left > 0).map(({ head, left }) => `${left} more: ${head}`);
  }
}

/** True if a line, of what can be seen of it, may be about this request. */
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
  // Of an address that is no HTTP, the content is not shown, and of one with a secret the query.
  const isCutShort = !/^https?:|^\//i.test(url) || text.includes("***");
  return matches(`${method} ${[path, ...names].join("?")}`, text, isCutShort);
}

/** What is long is cut in its middle, and what is secret has stars. */
function matches(whole: string, shown: string, isCutShort = false): boolean {
  return isMadeOf(whole, shown.split(/…|\*+/), isCutShort);
}
