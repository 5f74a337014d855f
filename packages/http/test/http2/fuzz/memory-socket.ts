import { Socket } from "node:net";

import { SharedReader } from "../../../src/net/shared-reader.ts";

/** A socket in memory: it reads what a test feeds, and records what is written. */
export class MemorySocket extends Socket {
  readonly written: Uint8Array[] = [];
  readonly reader: SharedReader = new SharedReader();
  #isOver = false;
  #callbacks: (() => void)[] = [];

  override write(bytes: Uint8Array | string, written?: BufferEncoding | (() => void)): boolean {
    if (!this.#isOver) this.written.push(Buffer.from(bytes));
    if (typeof written === "function") this.#callbacks.push(written);
    return true;
  }

  /** Confirms that the system has taken what was written. */
  confirm(): void {
    for (const callback of this.#callbacks.splice(0)) callback();
  }

  override resume(): this {
    return this;
  }

  override destroy(): this {
    if (this.#isOver) return this;
    this.#isOver = true;
    this.emit("close", false);
    return this;
  }

  /** Delivers bytes in memory that is overwritten afterwards: a reader must have copied what it keeps. */
  feed(bytes: Buffer): void {
    const { buffer } = this.reader;
    for (let at = 0; at < bytes.length && !this.#isOver; at += buffer.length) {
      const length = bytes.copy(buffer, 0, at);
      this.reader.callback(length);
      buffer.fill(0xaa, 0, length);
    }
  }
}
