import { isIP } from "node:net";

import type { ListenOptions } from "@bearhug/report/local-server/listen";
import { Option } from "commander";

/** The option of every command that listens. */
export function listenOption(usual: string, help = "port, or address and port, to listen on"): Option {
  return new Option("--listen <address>", help).helpGroup("Pods and agents:").default(usual);
}

/**
 * Reads `--listen [HOST:]PORT`, on this machine alone where there is no host, and adds a sentence to `problems` if it is
 * not valid. An IPv6 address of the result has no brackets. The example's port is in the sentence.
 */
export function readListenAddress(text: string, examplePort: number, problems: string[]): ListenOptions {
  const [, host = "127.0.0.1", port = ""] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const address = host.replace(/^\[(.*)\]$/, "$1");
  if ((isIP(address) === 0 && address !== "localhost") || port === "" || Number(port) > 65_535)
    problems.push(
      `--listen ${text}: must be a port, or an IP address with a port, such as ${examplePort} or 0.0.0.0:${examplePort}.`,
    );
  return { host: address, port: Number(port) };
}
