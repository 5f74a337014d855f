import type { Socket } from "node:net";

/** How to open a tunnel: what to send to the proxy, and what its replies mean. */
export interface ProxyDialogue {
  /** The first message. */
  readonly greeting: string | Buffer;
  /** Reads what has arrived and was not used yet; null if more bytes are needed. */
  readonly hear: (received: Buffer) => Heard | Error | null;
  /** Returns the error for a proxy that closes the connection after these bytes. */
  readonly closed: (received: Buffer) => Error;
}

interface Heard {
  /** The length of the reply, in bytes. */
  readonly used: number;
  /** The next message; null once the tunnel is open. */
  readonly message: Buffer | null;
}

/** Opens a tunnel. `done` is called later, once, unless the returned function cancels it. */
export function openTunnel(
  socket: Socket,
  { greeting, hear, closed }: ProxyDialogue,
  done: (error: Error | null) => void,
): () => void {
  let received = Buffer.alloc(0);
  const stop = (): void => {
    socket.off("data", read).off("end", end).off("error", fail).off("close", end);
  };
  const fail = (error: Error): void => {
    stop();
    socket.destroy();
    done(error);
  };
  const end = (): void => fail(closed(received));
  const read = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk]);
    const heard = hear(received);
    if (heard === null) return;
    if (heard instanceof Error) {
      fail(heard);
      return;
    }
    received = received.subarray(heard.used);
    if (heard.message !== null) {
      socket.write(heard.message);
      return;
    }
    stop();
    socket.pause();
    if (received.length > 0) socket.unshift(received);
    done(null);
  };
  socket.on("data", read).on("end", end).on("error", fail).on("close", end);
  socket.write(greeting);
  return () => {
    stop();
    socket.destroy();
  };
}
