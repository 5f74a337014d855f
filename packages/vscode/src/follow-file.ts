import { open } from "node:fs/promises";

import { LineSplitter } from "./run-progress.ts";

const pollEveryMs = 500;

/** Reads the lines of a file while another process writes it, until `stop` is called. */
export function followLines(path: string, onLine: (line: string) => void): { stop: () => Promise<void> } {
  const splitter = new LineSplitter();
  const decoder = new TextDecoder();
  let position = 0;
  const readMore = async (): Promise<void> => {
    const bytes = await readFrom(path, position);
    position += bytes.length;
    for (const line of splitter.take(decoder.decode(bytes, { stream: true }))) onLine(line);
  };
  let reading = Promise.resolve();
  const timer = setInterval(() => {
    reading = reading.then(readMore);
  }, pollEveryMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await reading.then(readMore);
    },
  };
}

/** Reads the rest of a file; empty if the file does not exist yet. */
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
