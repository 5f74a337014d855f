import type { Parsed } from "./parsed.ts";

/** Hosts that a person means: `api.partner.com`, `api.partner.com:8443`, `*.cdn.net`, `*`. */
export interface HostPattern {
  /** As written. */
  readonly text: string;
  /** In lower case and ASCII, as in a URL; "" stands for every host. */
  readonly hostname: string;
  /** Whether its subdomains are meant, instead of itself. */
  readonly isWildcard: boolean;
  /** null for every port. */
  readonly port: string | null;
}

/** Reads which hosts are meant: one name, all below one (`*.`), or all there are (`*`); each perhaps with a port. */
export function parseHostPattern(text: string): Parsed<HostPattern> {
  if (text === "*") return { value: { text, hostname: "", isWildcard: true, port: null } };
  const isWildcard = text.startsWith("*.");
  const name = isWildcard ? text.slice(2) : text;
  const url = /^[^\s/?#@*\\%]+$/.test(name) ? URL.parse(`http://${name}/`) : null;
  if (url === null)
    return { problem: "must be a host such as api.partner.com, api.partner.com:8443 or *.cdn.net" };
  const port = /:\d+$/.test(name) ? portOf(name) : null;
  return { value: { text, hostname: url.hostname, isWildcard, port } };
}

function portOf(name: string): string {
  return String(Number(name.slice(name.lastIndexOf(":") + 1)));
}

/** Whether a URL's host is meant. */
export function matchesHost({ hostname, isWildcard, port }: HostPattern, url: URL): boolean {
  if (port !== null && port !== (url.port || defaultPort(url))) return false;
  if (!isWildcard) return url.hostname === hostname;
  return hostname === "" || url.hostname.endsWith(`.${hostname}`);
}

function defaultPort({ protocol }: URL): string {
  return protocol === "https:" ? "443" : "80";
}
