import { isIP } from "node:net";

/** The address of a `--listen`. */
export interface ListenAddress {
  /** An IPv6 address has no brackets. */
  readonly host: string;
  readonly port: number;
}

/** Reads `--listen HOST:PORT`, and adds a sentence to `problems` if it is not valid. The example's port is in the sentence. */
export function readListenAddress(text: string, examplePort: number, problems: string[]): ListenAddress {
  const [, host = "", port = ""] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  const address = host.replace(/^\[(.*)\]$/, "$1");
  if ((isIP(address) === 0 && address !== "localhost") || Number(port) > 65_535)
    problems.push(`--listen ${text}: must be an IP address with a port, such as 0.0.0.0:${examplePort}.`);
  return { host: address, port: Number(port) };
}
