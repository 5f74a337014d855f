import { createSocket } from "node:dgram";
import { once } from "node:events";

import { onTestFinished } from "vitest";

/** A name server's answer to a question: addresses, an error code, or none at all. */
export type Answer = readonly string[] | "NXDOMAIN" | "SERVFAIL" | "REFUSED" | "silence";

export interface NameServer {
  /** The address for `dns.servers`. */
  readonly address: string;
  /** Each question, such as `A shop.example`. */
  readonly questions: string[];
  /** The time that each answer really took: on a busy machine timers are late. */
  readonly tookMs: number[];
}

const responseCodes = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const;

/** Starts a name server on loopback with the given answers, after a delay; closed when the test has ended. */
export async function startNameServer(
  answer: (question: string) => Answer,
  delayMs: (question: string) => number = () => 0,
): Promise<NameServer> {
  const socket = createSocket("udp4");
  const questions: string[] = [];
  const tookMs: number[] = [];
  const timers = new Set<NodeJS.Timeout>();
  socket.on("message", (message, { address, port }) => {
    const { question, end, isIPv6 } = readQuestion(message);
    questions.push(question);
    const said = answer(question);
    if (said === "silence") return;
    const reply = formatReply(message.subarray(0, end), said, isIPv6);
    const receivedAt = performance.now();
    const send = () => {
      timers.delete(timer);
      tookMs.push(performance.now() - receivedAt);
      socket.send(reply, port, address);
    };
    const timer = setTimeout(send, delayMs(question));
    timers.add(timer);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => {
    for (const timer of timers) clearTimeout(timer);
    socket.close();
  });
  return { address: `127.0.0.1:${socket.address().port}`, questions, tookMs };
}

/** Reads a question (RFC 1035, section 4.1.2): labels, each preceded by its length, then type and class. */
function readQuestion(message: Buffer) {
  const labels: string[] = [];
  let position = 12;
  for (let length = message[position]!; length > 0; length = message[position]!) {
    labels.push(message.toString("latin1", position + 1, position + 1 + length));
    position += 1 + length;
  }
  const isIPv6 = message.readUInt16BE(position + 1) === 28;
  const question = `${isIPv6 ? "AAAA" : "A"} ${labels.join(".").toLowerCase()}`;
  return { question, end: position + 5, isIPv6 };
}

function formatReply(query: Buffer, said: Exclude<Answer, "silence">, isIPv6: boolean): Buffer {
  const head = Buffer.from(query);
  const addresses =
    typeof said === "string" ? [] : said.filter((address) => address.includes(":") === isIPv6);
  head[2] = 0x81;
  head[3] = 0x80 | (typeof said === "string" ? responseCodes[said] : 0);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt16BE(0, 10);
  const records = addresses.map((address) => {
    const data = isIPv6
      ? Buffer.concat([Buffer.alloc(15), Buffer.from([1])])
      : Buffer.from(address.split(".").map(Number));
    const record = Buffer.from([0xc0, 12, 0, isIPv6 ? 28 : 1, 0, 1, 0, 0, 0, 60, 0, data.length]);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, ...records]);
}
