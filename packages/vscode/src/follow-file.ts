import { open } from "node:fs/promises";

import { LineSplitter } from "./run-progress.ts";

const lookEveryMs = 500;

/** Reads the lines of a file while another process writes it, until `stop` is called. */
export function followLines(path: string, onLine: (line: string) => void): { stop: () => Promise<void> } {
  const splitter = new LineSplitter();
  const decoder = new TextDecoder();
  let position = 0;
  const look = async (): Promise<void> => {
    const bytes = await readFrom(path, position);
    position += bytes.length;
    for (const line of splitter.take(decoder.decode(bytes, { stream: true }))) onLine(line);
  };
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, lookEveryMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await looking.then(look);
    },
  };
}

/** Returns nothing of a file that is not there yet. */
async function readFrom(path: string, position: number): Promise<Uint8Array> {
  const file = await open(path).catch(() => null);
  if (file === null) return new Uint8Array();
  try {
    const { size } = await file.stat();
    const bytes = new Uint8Array(Math.max(0, size - position));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, position);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
