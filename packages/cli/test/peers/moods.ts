import { answers, status, type Mood, type Moods } from "./moody-server.ts";

const half = "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf of it";

const hangs: Mood = { onRequest: () => undefined };
const resets: Mood = { onRequest: (socket) => socket.resetAndDestroy() };
const closes: Mood = { onRequest: (socket) => socket.destroy() };
const ends: Mood = { onRequest: (socket) => socket.end() };
const refuses: Mood = { isDown: true, onRequest: () => undefined };
const garbage: Mood = { onRequest: (socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n") };
const truncates: Mood = {
  onRequest: (socket, later) => {
    socket.write(half);
    later(5, () => socket.destroy());
  },
};
const stalls: Mood = { onRequest: (socket) => socket.write(half) };
const headStalls: Mood = { onRequest: (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-") };
const drips: Mood = {
  onRequest: (socket) => {
    socket.write(half);
    const drip = setInterval(() => socket.write("x"), 500);
    socket.on("close", () => {
      clearInterval(drip);
    });
  },
};
const slowHeads: Mood = {
  onRequest: (socket) => {
    const drip = setInterval(() => socket.write("H"), 500);
    socket.on("close", () => {
      clearInterval(drip);
    });
  },
};
const resetsConnections: Mood = {
  ...resets,
  onConnection: (socket) => {
    socket.resetAndDestroy();
    return "ignore";
  },
};
const hangsOnEverySecond: Mood = {
  ...answers(),
  onConnection: (_, number) => (number % 2 === 1 ? "ignore" : "serve"),
};
const failsAndCloses = answers(5, "HTTP/1.1 503 No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
const tooLong = answers(5, `HTTP/1.1 200 OK\r\nx: ${"x".repeat(200_000)}\r\ncontent-length: 0\r\n\r\n`);
const noBody = {
  onRequest: (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n"),
} satisfies Mood;

const always =
  (mood: Mood): Moods =>
  () =>
    mood;

/** Returns moods that change to this one after a time, and are healthy until then. */
const from =
  (ms: number, mood: Mood, before: Mood = answers()): Moods =>
  (sinceMs) =>
    sinceMs < ms ? before : mood;

/** Returns this mood for each n-th request, and a healthy one for the others. */
const each =
  (nth: number, mood: Mood): Moods =>
  (_, request) =>
    request % nth === nth - 1 ? mood : answers();

/** Returns moods that alternate between a healthy one and this one. */
const flaps =
  (ms: number, mood: Mood): Moods =>
  (sinceMs) =>
    Math.floor(sinceMs / ms) % 2 === 1 ? mood : answers();

/** No run of 4 s against these targets may pass. */
export const brokenTargets: Readonly<Record<string, Moods>> = {
  "hangs from the start": always(hangs),
  "is down": always(refuses),
  "resets each connection": always(resetsConnections),
  "resets each request": always(resets),
  "closes without an answer": always(closes),
  "ends connections in order, without an answer": always(ends),
  "answers 401": always(status(401)),
  "answers 404": always(status(404)),
  "answers 500": always(status(500)),
  "answers 503 and closes": always(failsAndCloses),
  "speaks another protocol": always(garbage),
  "cuts each body short": always(truncates),
  "stalls in each body": always(stalls),
  "stalls in each head": always(headStalls),
  "drips each body": always(drips),
  "drips each head": always(slowHeads),
  "sends heads that are too long": always(tooLong),
  "sends no body, and closes": always(noBody),
  "resets each 8th request": each(8, resets),
  "answers 503 to each 8th": each(8, status(503)),
  "answers 503 to every second": each(2, status(503)),
  "hangs from 1 s on": from(1000, hangs),
  "is down from 1 s on": from(1000, refuses),
  "resets from 1 s on": from(1000, resets),
  "resets connections from 1 s on": from(1000, resetsConnections, answers()),
  "closes from 1 s on": from(1000, closes),
  "answers 503 from 1 s on": from(1000, status(503)),
  "answers 500 from 1 s on": from(1000, status(500)),
  "answers 429 from 1 s on": from(1000, status(429)),
  "drips bodies from 1 s on": from(1000, drips),
  "stalls in bodies from 1 s on": from(1000, stalls),
  "stalls in heads from 1 s on": from(1000, headStalls),
  "cuts bodies short from 1 s on": from(1000, truncates),
  "speaks another protocol from 1 s on": from(1000, garbage),
  "hangs from 2.5 s on": from(2500, hangs),
  "is down from 2.5 s on": from(2500, refuses),
  "answers 503 from 2.5 s on": from(2500, status(503)),
  "is up and down by the second": flaps(1000, refuses),
  "hangs every other second": flaps(1000, hangs),
};

/**
 * About 2 % of the requests to these targets hang. Virtual users of a closed model get stuck in them; in an
 * open model others start on time, and the failures stay within the limit.
 */
export const hangingNowAndThen: Readonly<Record<string, Moods>> = {
  "ignores every second connection": always(hangsOnEverySecond),
  "hangs on each 50th request": each(50, hangs),
  "stalls in each 50th body": each(50, stalls),
};

/** Down for less than a second: a sixth of an open load of 4 s, but only few requests of a closed one. */
export const restarting: Readonly<Record<string, Moods>> = {
  "is down in its first 0.7 s": (sinceMs) => (sinceMs > 50 && sinceMs < 700 ? refuses : answers()),
  "is down for 0.7 s in the middle": (sinceMs) => (sinceMs > 1500 && sinceMs < 2200 ? refuses : answers()),
};

/** Every run against these targets must pass. */
export const healthyTargets: Readonly<Record<string, Moods>> = {
  "is fast": always(answers(2)),
  "takes 300 ms": always(answers(300)),
  "takes 5 to 200 ms": (_, request) => answers(5 + ((request * 37) % 195)),
  "takes 1.2 s in its first second": (sinceMs) => answers(sinceMs < 1000 ? 1200 : 5),
  "answers 500 to each 100th": each(100, status(500)),
  "closes after each response": always(
    answers(5, "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok"),
  ),
};
