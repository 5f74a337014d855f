import type { WireRequest } from "./recorded-exchange.ts";

/** A value of a request, named by its place: `path 2`, `query "page"`, `form "user"`, `json 3`. */
export interface Place {
  readonly name: string;
  readonly value: string;
  /** The encoded form, where it may differ from the value: `%20` and `+` are one value. */
  readonly written?: string;
  readonly isName?: boolean;
}

/**
 * A request, split into its values and its skeleton: everything else. Requests of one kind have equal
 * skeletons.
 */
export interface Dissected {
  readonly skeleton: string;
  readonly places: readonly Place[];
}

/** The place of the white space between JSON values: it means nothing, and browsers send none. */
export const blanksOfJson = "json blanks";

/** Splits a request according to its content type. */
export function dissect(request: WireRequest): Dissected {
  const [path = "", ...rest] = request.target.split("?");
  const query = rest.join("?");
  const parts = [
    dissectPath(path),
    dissectPairs(query, "query"),
    dissectBody(request.body, request.contentType),
  ];
  const { contentType } = request;
  const type = contentType.replace(/(;\s*boundary=)[^;]*/i, "$1…").toLowerCase();
  return {
    skeleton: [request.method, ...parts.map(({ skeleton }) => skeleton), type].join("\n"),
    places: parts.flatMap(({ places }) => places),
  };
}

/** Splits a request of which the capture has only the body's fields, each with its name and value. */
export function dissectFields(
  request: WireRequest & { readonly fields?: readonly Field[] | null },
): Dissected {
  const { skeleton, places } = dissect({ ...request, body: Buffer.alloc(0) });
  const fields =
    request.fields?.map(decodeField) ??
    dissectBody(request.body, request.contentType)
      .places.filter(({ isName }) => isName !== true)
      .map(toField);
  const sent = fields.filter(({ name }) => name !== "boundary");
  return {
    skeleton: [skeleton, ...sent.map(({ name }) => name)].join("\n"),
    places: [...places, ...sent.map(({ name, value }) => ({ name: `field "${name}"`, value }))],
  };
}

interface Field {
  readonly name: string;
  readonly value: string;
}

/** Decodes a recorded form field: Chrome records fields encoded, as sent, and Firefox as typed. */
function decodeField({ name, value }: Field): Field {
  return { name: decode(name), value: decode(value) };
}

function toField({ name, value }: Place): Field {
  return { name: /"(.*)"/s.exec(name)?.[1] ?? name, value };
}

/** Returns every value that a request sends. */
export function valuesOf(request: WireRequest): string[] {
  return dissect(request).places.map(({ value }) => value);
}

function dissectPath(path: string): Dissected {
  const segments = path.split("/");
  return {
    skeleton: `${segments.length} segments`,
    places: segments.map((segment, index) => ({
      name: `path ${index}`,
      value: decode(segment),
      written: segment,
    })),
  };
}

function dissectPairs(text: string, kind: string): Dissected {
  if (text === "") return { skeleton: `no ${kind}`, places: [] };
  const pairs = text.split("&").map((pair) => {
    const at = pair.indexOf("=");
    return at === -1 ? { name: pair, value: null } : { name: pair.slice(0, at), value: pair.slice(at + 1) };
  });
  return {
    skeleton: `${kind} ${pairs.map(({ value }) => (value === null ? "-" : "=")).join("&")}`,
    places: pairs.flatMap(({ name, value }, index) => [
      // A name may contain a secret, too.
      { name: `${kind} name ${index}`, value: decode(name), written: name, isName: true },
      {
        name: `${kind} "${decode(name)}"`,
        value: decode(value?.replaceAll("+", "%20") ?? ""),
        written: value ?? "",
      },
    ]),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function dissectBody(body: Buffer, contentType: string): Dissected {
  if (body.length === 0) return { skeleton: "no body", places: [] };
  if (/urlencoded/i.test(contentType)) return dissectPairs(body.toString("utf8"), "form");
  const boundary = /boundary="?([^";]+)/i.exec(contentType)?.[1];
  if (boundary !== undefined) return dissectParts(body.toString("latin1"), boundary);
  // Beacons send JSON as plain text.
  if (/json|text\/plain/i.test(contentType)) {
    const json = dissectJson(body.toString("utf8"));
    if (json !== null) return json;
  }
  return { skeleton: "a text", places: [{ name: "body", value: body.toString("utf8") }] };
}

function dissectParts(body: string, boundary: string): Dissected {
  const parts = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1, -1);
  const read = parts.map((part) => {
    const at = part.indexOf("\r\n\r\n");
    return { head: part.slice(0, at).trim(), value: part.slice(at + 4) };
  });
  return {
    skeleton: read.map(({ head }) => head.toLowerCase()).join("\n"),
    places: [
      { name: "boundary", value: boundary },
      ...read.map(({ head, value }) => ({ name: `part ${/name="[^"]*"/.exec(head)?.[0] ?? ""}`, value })),
    ],
  };
}

/**
 * Splits JSON: the keys and their order are the skeleton, the white space is a place. Null if it is not JSON.
 */
function dissectJson(text: string): Dissected | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const places: Place[] = [];
  const blanks: string[] = [];
  // A string before a colon is a key.
  const skeleton = text.replace(
    /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|true|false|null|\s+/g,
    (token, string: string | undefined, colon: string | undefined) => {
      if (colon !== undefined) return token.replace(/\s*:$/, ":");
      if (/^\s/.test(token)) {
        blanks.push(token);
        return "";
      }
      const value = string === undefined ? token : String(JSON.parse(string));
      places.push({ name: `json ${places.length}`, value });
      return string === undefined ? "0" : '""';
    },
  );
  return { skeleton, places: [...places, { name: blanksOfJson, value: blanks.join("") }] };
}
