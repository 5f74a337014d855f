// The yardstick of request-path.ts and of `pnpm bench`: HTTP/1.1 on Node's sockets and nothing else, without
// promises, clocks or records: node bench/bare-socket.ts <url> <connections> <seconds>
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

const [address = "", connections = "", seconds = ""] = process.argv.slice(2);
const { protocol, hostname, port, host, pathname } = new URL(address);
const isTls = protocol === "https:";
const request = `GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\nuser-agent: bearhug-bench\r\naccept: */*\r\n\r\n`;
const headEnd = Buffer.from("\r\n\r\n");
const buffer = Buffer.allocUnsafeSlow(64 * 1024);

for (let index = 0; index < Number(connections); index++) keepRequesting();
setTimeout(() => process.exit(), Number(seconds) * 1000);

function keepRequesting(): void {
  let bodyLeft = 0;
  const options = {
    port: Number(port),
    host: hostname,
    noDelay: true,
    rejectUnauthorized: false,
    onread: {
      buffer,
      callback: (length: number): boolean => {
        bodyLeft = readOn(buffer.subarray(0, length), bodyLeft);
        if (bodyLeft === 0) socket.write(request, "latin1");
        return true;
      },
    },
  };
  const socket: Socket = isTls ? connectTls(options) : connectTcp(options);
  socket.once(isTls ? "secureConnect" : "connect", () => socket.write(request, "latin1"));
}

/** Returns how many bytes of the response are missing after this chunk. A head must come in one chunk. */
function readOn(chunk: Buffer, bodyLeft: number): number {
  if (bodyLeft > 0) return bodyLeft - chunk.length;
  const end = chunk.indexOf(headEnd);
  const length = /content-length: (\d+)/i.exec(chunk.toString("latin1", 0, end))?.[1];
  if (end === -1 || length === undefined) throw new Error(`not a response: ${chunk.toString("latin1")}`);
  return Number(length) - (chunk.length - end - headEnd.length);
}
