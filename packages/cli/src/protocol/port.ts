/** One end of the line between coordinator and worker; `Sent` goes out, `Received` comes in. */
export interface Port<Sent, Received> {
  readonly send: (message: Sent) => void;
  /** Set once; messages that came before are delivered then. */
  readonly receive: (listener: (message: Received) => void) => void;
}
