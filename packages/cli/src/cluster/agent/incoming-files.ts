interface PendingFile {
  readonly sha256: string;
  readonly resolve: (content: Buffer) => void;
}

/** Receives files of a job from the coordinator, one at a time. An interrupted file is requested again. */
export class IncomingFiles {
  readonly #request: (sha256: string) => void;
  #pending: PendingFile[] = [];
  #chunks: Buffer[] = [];
  #missingBytes = 0;

  /** @param request requests a file from the coordinator */
  constructor(request: (sha256: string) => void) {
    this.#request = request;
  }

  fetch(sha256: string): Promise<Buffer> {
    return new Promise((resolve) => {
      this.#pending.push({ sha256, resolve });
      if (this.#pending.length === 1) this.#request(sha256);
    });
  }

  /** Restarts the current file on a new connection: anything in transit on the old one is lost. */
  reconnect(): void {
    const [next] = this.#pending;
    if (next !== undefined) this.#request(next.sha256);
  }

  /** Called before the bytes of the requested file. */
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
    const ended = this.#pending.shift();
    const content = Buffer.concat(this.#chunks);
    this.#chunks = [];
    ended?.resolve(content);
    this.reconnect();
  }
}
