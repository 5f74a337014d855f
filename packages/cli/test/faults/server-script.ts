/** One thing that a server does to a connection. */
export type Step =
  /** Sends bytes, or text with one byte for each character. */
  | { readonly write: string | Uint8Array }
  | { readonly waitMs: number }
  /** Waits for the head of one more request. */
  | "waitForRequest"
  /** Stops reading until the step `read`: bytes from the client stay in the system's buffers. */
  | "stopReading"
  | "read"
  /** Ends the connection cleanly (FIN). */
  | "end"
  /** Resets the connection (RST). */
  | "reset"
  /** Sends the same bytes repeatedly, as fast as the client takes them or every `everyMs`. */
  | { readonly repeat: string | Uint8Array; readonly times: number; readonly everyMs: number }
  /** Runs steps repeatedly. */
  | { readonly times: number; readonly steps: readonly Step[] }
  /** The whole server goes down, with all its connections, and comes up again on the same port. */
  | { readonly restartAfterMs: number };

/** The steps of one connection; after the last one it stays open and silent. */
export type ConnectionScript = readonly Step[];

/** A script for each connection in order of arrival; further connections follow the last script. */
export type ServerScript = readonly ConnectionScript[];

export function response(body: string, head = "HTTP/1.1 200 OK"): string {
  return `${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** Returns steps that answer one request, whatever it is, with some bytes. */
export function answer(...writes: readonly (string | Uint8Array)[]): readonly Step[] {
  return ["waitForRequest", ...writes.map((write) => ({ write }))];
}

/** A healthy server: it answers each request with 200. */
export const healthy: ConnectionScript = [{ times: 1000, steps: answer(response("next")) }];
