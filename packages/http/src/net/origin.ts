/** A scheme, host and port to connect to. */
export interface Origin {
  readonly isSecure: boolean;
  /** Without the brackets of an IPv6 literal. */
  readonly host: string;
  readonly port: number;
  /** As in a URL: `https://shop.example:8443`. */
  readonly text: string;
  /** Requests with the same one share connections: the text, and the host that a target stands for, if it is a further one. */
  readonly pool: string;
  /** TLS offers HTTP/1.1 alone, though the settings may allow HTTP/2 as well. */
  readonly isWithoutHttp2?: true;
}
