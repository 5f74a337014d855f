import { EventEmitter, once } from "node:events";
import * as z from "zod";

const messageSchema = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

type Params = Readonly<Record<string, unknown>>;

/**
 * A thread under the debugger: it accepts commands of the inspector protocol and emits its events by name.
 */
export class DebuggedThread extends EventEmitter<Record<string, [Params]>> {
  readonly isWorker: boolean;
  readonly #send: (message: string) => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  constructor(isWorker: boolean, send: (message: string) => void) {
    super();
    this.isWorker = isWorker;
    this.#send = send;
  }

  command(method: string, params: Params = {}): Promise<unknown> {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    this.#send(JSON.stringify({ id, method, params }));
    return answer.promise;
  }

  receive(text: string): void {
    const { id, method, params = {}, result, error } = messageSchema.parse(JSON.parse(text));
    if (method !== undefined) this.emit(method, params);
    if (id === undefined) return;
    if (error === undefined) this.#waiting.get(id)?.resolve(result);
    else this.#waiting.get(id)?.reject(new Error(error.message));
    this.#waiting.delete(id);
  }
}

const attachedSchema = z.object({ sessionId: z.string() });
const relayedSchema = z.object({ sessionId: z.string(), message: z.string() });

/**
 * Attaches to a process that waits for a debugger, and to each of its workers as it starts, as VS Code does.
 * @param prepare is called for each thread before it runs any code
 */
export async function attach(
  url: string,
  prepare: (thread: DebuggedThread) => Promise<void>,
): Promise<{ readonly close: () => void }> {
  const socket = new WebSocket(url);
  await once(socket, "open");
  const main = new DebuggedThread(false, (message) => {
    socket.send(message);
  });
  socket.addEventListener("message", ({ data }) => {
    main.receive(String(data));
  });
  const workers = new Map<string, DebuggedThread>();
  main.on("NodeWorker.attachedToWorker", (params) => {
    const { sessionId } = attachedSchema.parse(params);
    const worker = new DebuggedThread(true, (message) => {
      void main.command("NodeWorker.sendMessageToWorker", { sessionId, message });
    });
    workers.set(sessionId, worker);
    void start(worker, prepare);
  });
  main.on("NodeWorker.receivedMessageFromWorker", (params) => {
    const { sessionId, message } = relayedSchema.parse(params);
    workers.get(sessionId)?.receive(message);
  });
  await main.command("NodeWorker.enable", { waitForDebuggerOnStart: true });
  await start(main, prepare);
  return {
    close: () => {
      socket.close();
    },
  };
}

async function start(
  thread: DebuggedThread,
  prepare: (thread: DebuggedThread) => Promise<void>,
): Promise<void> {
  await prepare(thread);
  await thread.command("Runtime.runIfWaitingForDebugger");
}
