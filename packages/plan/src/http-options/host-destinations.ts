import { z, once } from "@bearhug/sdk/internal";
import { oneOrMore, checkedText } from "../validation/option-schemas.ts";
import { addressProblem, hostNameProblem, isPort, withoutBrackets } from "./http-rules.ts";

/** The address, and optionally the port, to connect to instead of a host. */
export interface Destination {
  readonly address: string;
  /** Null for the port of the request's URL. */
  readonly port: number | null;
}

/**
 * Returns the problem with a key of `hosts`, which is a host with or without a port; undefined for a valid
 * one.
 */
export function hostKeyProblem(text: string): string | undefined {
  const [, host, port] = /^([^:]+):(\d+)$/.exec(text) ?? [];
  if (host === undefined) return hostNameProblem(text);
  return hostNameProblem(host) ?? (isPort(port) ? undefined : portProblem);
}

/** Returns a host as it is looked up: in lower case, and with its port without leading zeros. */
export function hostKey(text: string): string {
  return text.toLowerCase().replace(/:0+(?=\d)/, ":");
}

/** Returns the problem with an address in `hosts`; undefined for a valid one. */
export function destinationProblem(text: string): string | undefined {
  const { address, port } = splitPort(text);
  if (addressProblem(address) !== undefined)
    return 'must be an IP address such as "127.0.0.1" or "::1", or one with a port such as "127.0.0.1:8443" or "[::1]:8443"';
  return isPort(port) ? undefined : portProblem;
}

/** Reads a valid address of `hosts`. */
export function readDestination(text: string): Destination {
  const { address, port } = splitPort(text);
  return { address, port: port === undefined ? null : Number(port) };
}

const portProblem = "must have a port between 1 and 65535";

function splitPort(text: string): { readonly address: string; readonly port: string | undefined } {
  const [, address = text, port] = /^(\[[^\]]*\]|[^:[\]]*)(?::(\d+))?$/.exec(text) ?? [];
  return { address: withoutBrackets(address), port };
}

/** Reads `hosts`: addresses by host. */
export const hostsSchema: () => z.ZodType<Readonly<Record<string, readonly string[]>>> = once(() =>
  z
    .record(checkedText(hostKeyProblem), oneOrMore(checkedText(destinationProblem)))
    .transform((record) =>
      Object.fromEntries(Object.entries(record).map(([host, destinations]) => [hostKey(host), destinations])),
    ),
);

/** Returns the host of an address with its port, even if it is the scheme's default. */
export function hostWithPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port === "" ? (protocol === "https:" ? "443" : "80") : port}`;
}
