import { isIP } from "node:net";

import type { ListenOptions } from "@bearhug/report/local-server/listen";
import { Option } from "commander";

/** Returns the option of every command that listens. */
export function listenOption(
  defaultAddress: string,
  help = "port, or address and port, to listen on",
): Option {
  return new Option("--listen <address>", help).helpGroup("Pods and agents:").default(defaultAddress);
}

/**
 * Parses `--listen [HOST:]PORT`; the default host is 127.0.0.1. Adds a sentence, with `examplePort` in its
 * example, to `problems` if it is not valid. An IPv6 address in the result has no brackets.
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
