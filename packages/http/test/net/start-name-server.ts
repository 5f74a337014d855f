import { createSocket } from "node:dgram";
import { once } from "node:events";

import { onTestFinished } from "vitest";

/** What a name server says to a question: addresses, or the code of what is wrong with it. */
export type Answer = readonly string[] | "NXDOMAIN" | "SERVFAIL" | "REFUSED" | "silence";

export interface NameServer {
  /** As `dns.servers` takes it. */
  readonly address: string;
  /** Each question, as `A shop.example`. */
  readonly questions: string[];
  /** How long each answer took: on a busy machine timers are late. */
  readonly tookMs: number[];
}

const responseCodes = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const;

/** A name server on loopback that answers each question as it is told to, after a delay; closed when the test has ended. */
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
    const cameAt = performance.now();
    const send = () => {
      timers.delete(timer);
      tookMs.push(performance.now() - cameAt);
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

/** RFC 1035, section 4.1.2: labels, each behind its length, then type and class. */
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
