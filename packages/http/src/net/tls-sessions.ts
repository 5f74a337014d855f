import { setNewest } from "@bearhug/metrics/set-newest";

/** A visitor uses few hosts; a session is about 2 KB. */
const maxOrigins = 32;

/** TLS sessions that may be resumed: the newest of each origin. */
export class TlsSessions {
  readonly #sessions = new Map<string, Buffer>();

  get(origin: string): Buffer | undefined {
    return this.#sessions.get(origin);
  }

  keep(origin: string, session: Buffer): void {
    setNewest(this.#sessions, origin, session, maxOrigins);
  }

  forget(origin: string): void {
    this.#sessions.delete(origin);
  }

  clear(): void {
    this.#sessions.clear();
  }
}
