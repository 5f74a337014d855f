import type { HostPattern } from "./host-pattern.ts";
import type { Pattern } from "./pattern.ts";

/** Which requests of a capture to keep, besides what no test can send. */
export interface SelectOptions {
  /** Hosts that belong to the first party too. One named in full is kept as a whole, its analytics included. */
  readonly hosts?: readonly HostPattern[];
  readonly skipHosts?: readonly HostPattern[];
  /** Where there are any, what matches none is left out. */
  readonly only?: readonly Pattern[];
  readonly skip?: readonly Pattern[];
  /** Style sheets, images, fonts, scripts, audio and video. @default "keep" */
  readonly static?: "keep" | "drop";
}
