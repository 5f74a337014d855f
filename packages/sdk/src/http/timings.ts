import type { httpMetrics } from "../metrics/built-in-metrics.ts";

/** The phases of one exchange, in their order; milliseconds. A phase that did not happen is 0. */
export interface RequestPhases {
  /**
   * Waiting for a connection, and then for the write to start. If the connection is new, includes DNS,
   * connecting and TLS.
   */
  readonly blocked: number;
  /** Resolving the host's name. */
  readonly lookingUp: number;
  /** Opening the TCP connection, and a proxy's tunnel. */
  readonly connecting: number;
  /** The TLS handshake. */
  readonly tlsHandshaking: number;
  /** Writing the request. */
  readonly sending: number;
  /** From the end of the request to the first byte of the response. */
  readonly waiting: number;
  /** From the first byte of the response to its last. */
  readonly receiving: number;
}

/** The times of one exchange, in milliseconds. */
export interface Timings extends RequestPhases {
  /** `sending + waiting + receiving`. */
  readonly duration: number;
  /** From the call (or the intended start, for the first request of an open-model iteration) to the last byte. */
  readonly responseTime: number;
}

/** The phase in which an exchange failed. */
export type HttpPhase = keyof RequestPhases;

/** The phases in which a connection opens. `blocked` includes them. */
export const openingPhases = ["lookingUp", "connecting", "tlsHandshaking"] as const;

export type OpeningPhase = (typeof openingPhases)[number];

export function isOpening(phase: HttpPhase): phase is OpeningPhase {
  return openingPhases.some((opening) => opening === phase);
}

interface PhaseDescription {
  readonly metric: keyof typeof httpMetrics;
  /** Its name in tables. */
  readonly label: string;
  /** Its name in a line of text. */
  readonly short: string;
  /**
   * The number of its line colour on the page: gray for waiting in a queue, blue for waiting for the target.
   */
  readonly color: number;
}

/** Each phase, in order: the metric that records it, and its labels and colour in reports. */
export const requestPhases: Readonly<Record<HttpPhase, PhaseDescription>> = {
  blocked: { metric: "http_req_blocked", label: "blocked", short: "blocked", color: 7 },
  lookingUp: { metric: "http_req_looking_up", label: "looking up", short: "DNS", color: 6 },
  connecting: { metric: "http_req_connecting", label: "connecting", short: "connect", color: 2 },
  tlsHandshaking: { metric: "http_req_tls_handshaking", label: "TLS", short: "TLS", color: 5 },
  sending: { metric: "http_req_sending", label: "sending", short: "send", color: 4 },
  waiting: { metric: "http_req_waiting", label: "waiting", short: "wait", color: 1 },
  receiving: { metric: "http_req_receiving", label: "receiving", short: "receive", color: 3 },
};

/** Makes a value for each phase. */
export function eachPhase<T>(make: (phase: HttpPhase) => T): Record<HttpPhase, T> {
  return {
    blocked: make("blocked"),
    ...eachOpeningPhase(make),
    sending: make("sending"),
    waiting: make("waiting"),
    receiving: make("receiving"),
  };
}

/** Makes a value for each phase in which a connection opens. */
export function eachOpeningPhase<T>(make: (phase: OpeningPhase) => T): Record<OpeningPhase, T> {
  return {
    lookingUp: make("lookingUp"),
    connecting: make("connecting"),
    tlsHandshaking: make("tlsHandshaking"),
  };
}

/** The names of all phases, in their order. */
export const phaseNames: readonly HttpPhase[] = Object.values(eachPhase((phase) => phase));
