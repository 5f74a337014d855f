import { BlockList, isIP } from "node:net";

/** Returns a function that is true for hosts which are reached without the proxy, by curl's rules for `NO_PROXY`. */
export function hostsWithoutProxy(entries: readonly string[]): (host: string) => boolean {
  if (entries.length === 0) return () => false;
  const names: string[] = [];
  const addresses = new BlockList();
  for (const entry of entries.map((text) => text.toLowerCase())) {
    const [, address = "", bits] = /^\[?([^/\]]*)\]?(?:\/(\d+))?$/.exec(entry) ?? [];
    const family = isIP(address);
    if (family === 0) names.push(entry.replace(/^\./, "").replace(/\.$/, ""));
    else if (bits === undefined) addresses.addAddress(address, familyName(family));
    else addresses.addSubnet(address, Number(bits), familyName(family));
  }
  return (host) => {
    const family = isIP(host);
    if (names.includes("*")) return true;
    if (family !== 0) return addresses.check(host, familyName(family));
    const name = host.toLowerCase().replace(/\.$/, "");
    return names.some((known) => name === known || name.endsWith(`.${known}`));
  };
}

function familyName(family: number): "ipv4" | "ipv6" {
  return family === 6 ? "ipv6" : "ipv4";
}
