import { RequestFault } from "./request-fault.ts";

/** An address that is to be sent as it is written. */
export interface RawAddress {
  /** Null where the address begins with its path. */
  readonly origin: string | null;
  /** Path and query, as they are written. */
  readonly path: string;
}

const withOrigin = /^(https?:\/\/[^/?#\\]*)(.*)$/is;

/**
 * Takes an address apart without changing anything. @throws {RequestFault} for one without a path, and for spaces and
 * control characters: they would end the request line, and what follows could be another request.
 */
export function readRawAddress(address: string): RawAddress {
  const [, origin = null, path = address] = withOrigin.exec(address) ?? [];
  if (!path.startsWith("/")) {
    throw new RequestFault(
      "INVALID_URL",
      "With rawPath, a URL must begin with /, http://host/ or https://host/: nothing is added to it.",
    );
  }
  const at = path.search(/[^\u0021-\u007e\u0080-\uffff]/);
  if (at < 0) return { origin, path };
  throw new RequestFault(
    "INVALID_URL",
    `With rawPath, spaces and control characters can't be sent, but character ${at + 1} of the path is one: write it as %${hexOf(path, at)}.`,
  );
}

function hexOf(text: string, at: number): string {
  return text.charCodeAt(at).toString(16).toUpperCase().padStart(2, "0");
}

/** A text in UTF-8, one character a byte. */
export function inBytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
