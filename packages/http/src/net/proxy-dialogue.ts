import type { Socket } from "node:net";

/** How to open a tunnel: what to send to the proxy, and what its replies mean. */
export interface ProxyDialogue {
  /** The first message. */
  readonly greeting: string | Buffer;
  /** Reads what has arrived and was not used yet; null if more bytes are needed. */
  readonly readReply: (received: Buffer) => ReadReply | Error | null;
  /** Returns the error for a proxy that closes the connection after these bytes. */
  readonly closed: (received: Buffer) => Error;
}

interface ReadReply {
  /** The length of the reply, in bytes. */
  readonly used: number;
  /** The next message; null once the tunnel is open. */
  readonly message: Buffer | null;
}

/** Opens a tunnel. `done` is called later, once, unless the returned function cancels it. */
export function openTunnel(
  socket: Socket,
  { greeting, readReply, closed }: ProxyDialogue,
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
    const reply = readReply(received);
    if (reply === null) return;
    if (reply instanceof Error) {
      fail(reply);
      return;
    }
    received = received.subarray(reply.used);
    if (reply.message !== null) {
      socket.write(reply.message);
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
