import { listKernelFolder, readKernelFile } from "./kernel-file.ts";

/** A network interface that is up and reports its speed. */
export interface NetworkLink {
  readonly name: string;
  /** Each way. */
  readonly bitsPerSecond: number;
}

/** Traffic of all processes over a link since it came up, with the headers of all layers. */
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

/** Reads the links on Linux; other systems do not tell. Leaves out virtual interfaces, whose speed is made up, and loopback. */
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
