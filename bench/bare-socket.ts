// The yardstick of request-path.ts: HTTP/1.1 on Node's sockets and nothing else, without promises, clocks or
// records: node bench/bare-socket.ts <url> <connections> <seconds>
import { connect, type Socket } from "node:net";

const [address = "", connections = "", seconds = ""] = process.argv.slice(2);
const { hostname, port, host, pathname } = new URL(address);
const request = `GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\nuser-agent: bearhug-bench\r\naccept: */*\r\n\r\n`;
const headEnd = Buffer.from("\r\n\r\n");
const buffer = Buffer.allocUnsafeSlow(64 * 1024);

for (let index = 0; index < Number(connections); index++) keepRequesting();
setTimeout(() => process.exit(), Number(seconds) * 1000);

function keepRequesting(): void {
  let bodyLeft = 0;
  const socket: Socket = connect({
    port: Number(port),
    host: hostname,
    noDelay: true,
    onread: {
      buffer,
      callback: (length) => {
        bodyLeft = readOn(buffer.subarray(0, length), bodyLeft);
        if (bodyLeft === 0) socket.write(request, "latin1");
        return true;
      },
    },
  });
  socket.once("connect", () => socket.write(request, "latin1"));
}

/** Returns how many bytes of the response are missing after this chunk. A head must come in one chunk. */
function readOn(chunk: Buffer, bodyLeft: number): number {
  if (bodyLeft > 0) return bodyLeft - chunk.length;
  const end = chunk.indexOf(headEnd);
  const length = /content-length: (\d+)/i.exec(chunk.toString("latin1", 0, end))?.[1];
  if (end === -1 || length === undefined) throw new Error(`not a response: ${chunk.toString("latin1")}`);
  return Number(length) - (chunk.length - end - headEnd.length);
}
