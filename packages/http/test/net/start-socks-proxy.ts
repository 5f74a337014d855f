import { connect, type Socket } from "node:net";

import { startListener } from "./start-listener.ts";

export interface SocksProxy {
  readonly port: number;
  /** The targets of clients, such as `shop.example:80`, with user and password if they are required. */
  readonly targets: string[];
}

export interface SocksBehavior {
  /** The required user and password, such as `ann:secret`; by default none are required. */
  readonly login?: string;
  /** The reply to each request: 0 connects. */
  readonly reply?: number;
}

/** Starts a SOCKS5 proxy that maps names to 127.0.0.1. Its reply includes what the target sends at once. */
export async function startSocksProxy({ login, reply = 0 }: SocksBehavior = {}): Promise<SocksProxy> {
  const targets: string[] = [];
  const { port } = await startListener("127.0.0.1", (socket) => {
    void converse(socket).catch(() => socket.destroy());
  });

  async function converse(socket: Socket): Promise<void> {
    const read = reader(socket);
    const [, methods = 0] = await read(2);
    const offered = await read(methods);
    const method = login === undefined ? 0 : 2;
    if (!offered.includes(method)) {
      socket.end(Buffer.of(5, 255));
      return;
    }
    socket.write(Buffer.of(5, method));
    let credentials = "";
    if (login !== undefined) {
      await read(1);
      const user = String(await read((await read(1))[0]!));
      const password = String(await read((await read(1))[0]!));
      credentials = ` as ${user}:${password}`;
      socket.write(Buffer.of(1, login === `${user}:${password}` ? 0 : 1));
    }
    const [, , , kind] = await read(4);
    const host =
      kind === 3 ? String(await read((await read(1))[0]!)) : addressOf(await read(kind === 4 ? 16 : 4));
    const wanted = (await read(2)).readUInt16BE();
    targets.push(`${host}:${wanted}${credentials}`);
    const answer = Buffer.of(5, reply, 0, 1, 127, 0, 0, 1, 0, 80);
    if (reply !== 0) {
      socket.end(answer);
      return;
    }
    const target = connect({ host: kind === 4 ? host : "127.0.0.1", port: wanted });
    target.on("error", () => socket.destroy());
    // Gives a target that sends first the time to do so.
    setTimeout(() => {
      const first = (target.read() as Buffer | null) ?? Buffer.alloc(0);
      socket.write(Buffer.concat([answer, first]));
      read.release();
      socket.pipe(target).pipe(socket);
    }, 30);
  }

  return { port, targets };
}

function addressOf(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  return groups.join(":");
}

interface Reader {
  (bytes: number): Promise<Buffer>;
  release(): void;
}

function reader(socket: Socket): Reader {
  let waiting = Buffer.alloc(0);
  let onMore = (): void => undefined;
  const collect = (chunk: Buffer): void => {
    waiting = Buffer.concat([waiting, chunk]);
    onMore();
  };
  socket.on("data", collect);
  const read = async (bytes: number): Promise<Buffer> => {
    while (waiting.length < bytes) await new Promise<void>((resolve) => (onMore = resolve));
    const taken = waiting.subarray(0, bytes);
    waiting = waiting.subarray(bytes);
    return taken;
  };
  return Object.assign(read, { release: () => void socket.off("data", collect) });
}
