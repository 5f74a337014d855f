import { setFlagsFromString } from "node:v8";

/**
 * Garbage is collected early, at no cost in time that could be measured: reading a capture makes much of it, and the
 * engine would rather let the heap grow to several times what is in use. For a process that does nothing else.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--optimize-for-size");
}
