/** A scheme, host and port to connect to. */
export interface Origin {
  readonly isSecure: boolean;
  /** Without the brackets of an IPv6 literal. */
  readonly host: string;
  readonly port: number;
  /** As in a URL: `https://shop.example:8443`. */
  readonly text: string;
  /** Origins with an equal key share connections: the text, plus the further host that a target replaces. */
  readonly pool: string;
  /** Set if TLS offers only HTTP/1.1, even if the settings allow HTTP/2. */
  readonly isWithoutHttp2?: true;
}

/** Returns a host without the dot that stands for the root of names. */
export function withoutRootDot(host: string): string {
  return host.endsWith(".") ? host.slice(0, -1) : host;
}
