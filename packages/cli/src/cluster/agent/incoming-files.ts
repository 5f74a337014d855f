interface WantedFile {
  readonly sha256: string;
  readonly resolve: (content: Buffer) => void;
}

/** Files of a job on their way from the coordinator. One that is cut off is asked for again. */
export class IncomingFiles {
  readonly #ask: (sha256: string) => void;
  #wanted: WantedFile[] = [];
  #chunks: Buffer[] = [];
  #missingBytes = 0;

  /** @param ask asks the coordinator for a file */
  constructor(ask: (sha256: string) => void) {
    this.#ask = ask;
  }

  want(sha256: string): Promise<Buffer> {
    return new Promise((resolve) => {
      this.#wanted.push({ sha256, resolve });
      if (this.#wanted.length === 1) this.#ask(sha256);
    });
  }

  /** There is a new connection, and whatever was on its way over the last one is lost. */
  reconnect(): void {
    const [next] = this.#wanted;
    if (next !== undefined) this.#ask(next.sha256);
  }

  /** The bytes that follow are those of the file that was asked for. */
  begin(bytes: number): void {
    this.#chunks = [];
    this.#missingBytes = bytes;
    if (bytes === 0) this.#finish();
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#missingBytes -= chunk.length;
    if (this.#missingBytes === 0) this.#finish();
  }

  #finish(): void {
    const ended = this.#wanted.shift();
    const content = Buffer.concat(this.#chunks);
    this.#chunks = [];
    ended?.resolve(content);
    this.reconnect();
  }
}
