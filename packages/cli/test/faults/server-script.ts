/** One thing that a server does to a connection. */
export type Step =
  /** Sends text, each character a byte, or bytes. */
  | { readonly write: string | Uint8Array }
  | { readonly waitMs: number }
  /** Until the head of one more request has come. */
  | "waitForRequest"
  /** Stops reading, until the script says `read`: what the client sends stays with the system. */
  | "stopReading"
  | "read"
  /** Ends the connection in order (FIN). */
  | "end"
  /** Cuts it off (RST). */
  | "reset"
  /** Sends the same again and again, as fast as it is taken or every so often. */
  | { readonly repeat: string | Uint8Array; readonly times: number; readonly everyMs: number }
  /** Runs steps so many times over. */
  | { readonly times: number; readonly steps: readonly Step[] }
  /** The whole server goes down, with all its connections, and comes up again on the same port. */
  | { readonly restartAfterMs: number };

/** What a connection goes through; at its end it stays open and silent. */
export type ConnectionScript = readonly Step[];

/** A script for each connection in the order in which they come; those beyond follow the last. */
export type ServerScript = readonly ConnectionScript[];

export function response(body: string, head = "HTTP/1.1 200 OK"): string {
  return `${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** Answers one request, whatever it is, with some bytes. */
export function answer(...writes: readonly (string | Uint8Array)[]): readonly Step[] {
  return ["waitForRequest", ...writes.map((write) => ({ write }))];
}

/** A server as it should be. */
export const healthy: ConnectionScript = [{ times: 1000, steps: answer(response("next")) }];
