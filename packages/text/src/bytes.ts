import { toSignificant } from "./number.ts";

const units = ["kB", "MB", "GB", "TB", "PB"];

/** Formats bytes in decimal units, as network and disk capacities are given: 512 B, 51.2 kB, 1.24 GB. */
export function formatBytes(bytes: number, digits = 3): string {
  let amount = bytes;
  let unit = "B";
  for (const larger of units) {
    if (Number(toSignificant(amount, digits)) < 1000) break;
    amount /= 1000;
    unit = larger;
  }
  return `${unit === "B" ? amount.toFixed(0) : toSignificant(amount, digits)} ${unit}`;
}
