import { listKernelFolder, readKernelFile } from "./kernel-file.ts";

/** A network interface that is up and reports its speed. */
export interface NetworkLink {
  readonly name: string;
  /** In each direction. */
  readonly bitsPerSecond: number;
}

/** The traffic of all processes over a link since it came up, including the headers of all layers. */
export interface LinkCount {
  readonly link: NetworkLink;
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

const folder = "/sys/class/net";

/** Parses a `speed`, which is in Mbit/s, and −1 if unknown. */
export function parseLinkSpeed(text: string): number | null {
  const megabits = Number(text.trim());
  return Number.isFinite(megabits) && megabits > 0 ? megabits * 1e6 : null;
}

/**
 * Reads the network links; empty on systems other than Linux. Leaves out loopback and virtual interfaces,
 * whose speed is nominal.
 */
export function readNetworkLinks(): NetworkLink[] {
  return listKernelFolder(folder).flatMap((name) => {
    const isUp = readKernelFile(`${folder}/${name}/operstate`)?.trim() === "up";
    const isHardware = listKernelFolder(`${folder}/${name}/device`).length > 0;
    const bitsPerSecond = parseLinkSpeed(readKernelFile(`${folder}/${name}/speed`) ?? "");
    return isUp && isHardware && bitsPerSecond !== null ? [{ name, bitsPerSecond }] : [];
  });
}

export function readLinkCounts(links: readonly NetworkLink[]): LinkCount[] {
  return links.flatMap((link) => {
    const count = (name: string): string | null =>
      readKernelFile(`${folder}/${link.name}/statistics/${name}`);
    const [received, sent] = [count("rx_bytes"), count("tx_bytes")];
    if (received === null || sent === null) return [];
    return [{ link, receivedBytes: Number(received), sentBytes: Number(sent) }];
  });
}
