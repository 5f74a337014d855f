import { BlockList, isIP } from "node:net";

const own = new BlockList();
own.addSubnet("127.0.0.0", 8, "ipv4");
own.addAddress("::1", "ipv6");

/** True for a host that other machines cannot reach. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, "$1");
  const version = isIP(address);
  if (version === 0) return address === "localhost";
  return own.check(address, version === 6 ? "ipv6" : "ipv4");
}
