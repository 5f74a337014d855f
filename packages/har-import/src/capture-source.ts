/** The bytes of a capture, from the beginning each time it is called: what is large is read again, not kept. */
export type CaptureSource = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
