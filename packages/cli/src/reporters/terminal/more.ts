import { formatCount } from "../../format/number.ts";
import type { Style } from "./style.ts";

/** Says how many rows a list leaves out; nothing where it leaves out none. */
export function renderMore(leftOut: number, style: Style): string[] {
  return leftOut > 0
    ? [`  ${style.faint(`${style.symbols.ellipsis} and ${formatCount(leftOut)} more`)}`]
    : [];
}
