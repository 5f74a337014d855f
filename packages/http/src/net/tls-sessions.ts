/** A visitor uses few hosts; a session is about 2 KB. */
const maxOrigins = 32;

/** TLS sessions that may be resumed: the newest of each origin. */
export class TlsSessions {
  readonly #sessions = new Map<string, Buffer>();

  get(origin: string): Buffer | undefined {
    return this.#sessions.get(origin);
  }

  keep(origin: string, session: Buffer): void {
    this.#sessions.delete(origin);
    this.#sessions.set(origin, session);
    if (this.#sessions.size <= maxOrigins) return;
    for (const oldest of this.#sessions.keys()) {
      this.#sessions.delete(oldest);
      return;
    }
  }

  forget(origin: string): void {
    this.#sessions.delete(origin);
  }

  clear(): void {
    this.#sessions.clear();
  }
}
