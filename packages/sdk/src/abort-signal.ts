/** The part of an `AbortSignal` that exists on every platform. */
interface AbortSignalShape {
  readonly aborted: boolean;
  readonly reason: unknown;
}

/**
 * The platform's own `AbortSignal`, as the reader's TypeScript knows it (`@types/node` or the DOM library),
 * so that this package needs neither.
 */
export type PlatformAbortSignal = typeof globalThis extends {
  AbortSignal: { prototype: infer Signal };
}
  ? Signal
  : AbortSignalShape;
