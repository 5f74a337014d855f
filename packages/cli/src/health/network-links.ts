import { listKernelFolder, readKernelFile } from "./kernel-file.ts";

/** A network interface that is up and says how fast it is. */
export interface NetworkLink {
  readonly name: string;
  /** Each way. */
  readonly bitsPerSecond: number;
}

/** What went over a link since it came up, whoever sent it, headers of all layers included. */
export interface LinkCount {
  readonly link: NetworkLink;
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

const folder = "/sys/class/net";

/** Reads a `speed`, which is in Mbit/s and −1 where it is not known. */
export function parseLinkSpeed(text: string): number | null {
  const megabits = Number(text.trim());
  return Number.isFinite(megabits) && megabits > 0 ? megabits * 1e6 : null;
}

/** Linux alone tells. Virtual interfaces are left out, as their speed is made up; so is loopback, which has none. */
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
