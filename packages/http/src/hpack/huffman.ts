import { once } from "@bearhug/sdk/internal";

import { HpackError } from "./hpack-error.ts";

/**
 * The code lengths of RFC 7541, appendix B, in bits, one base-36 digit for each symbol: the 256 bytes, and
 * EOS. The code is canonical, so the codes follow from their lengths: sorted by length, then by symbol, each
 * is its predecessor plus 1.
 */
const lengths =
  "dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6cad67777777777777777777777878djde6f5656566657766" +
  "6567655677777fbedskmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmnqqkjmnmpqqqrrqopjlqrrqrollqq" +
  "srrrkoklmllnmmppooqnqrqqrrrrrsrrrrrqu";

const symbols = 257;
/** The EOS symbol, which must not occur in a string. */
const endOfString = 256;

const codeLengths: Uint8Array = Uint8Array.from(lengths, (digit) => Number.parseInt(digit, 36));

/** The code of each symbol. Made on first use, because runs over HTTP/1.1 need none. */
const codesOfSymbols = once((): Uint32Array => {
  const codes = new Uint32Array(symbols);
  const byLength = Array.from({ length: symbols }, (_, symbol) => symbol).sort(
    (a, b) => (codeLengths[a] ?? 0) - (codeLengths[b] ?? 0) || a - b,
  );
  let code = 0;
  let codeLength = 0;
  for (const symbol of byLength) {
    const length = codeLengths[symbol] ?? 0;
    code = (code << (length - codeLength)) >>> 0;
    codeLength = length;
    codes[symbol] = code++;
  }
  return codes;
});

const emits = 1 << 16;
const fails = 1 << 17;
const longestPaddingBits = 7;
const innerNodes = 256;
const isLeaf = 1 << 15;

/**
 * The code as a state machine that reads four bits at a time. Its states are the inner nodes of the code's
 * tree; the root is 0. No code is shorter than five bits, so a step completes at most one symbol.
 */
interface StateMachine {
  /** For each state and four bits: the next state (8 bits), the symbol (8 bits), `emits`, `fails`. */
  readonly steps: Uint32Array;
  /** 1 for each state in which a string may end: up to seven bits, all ones, after the last symbol. */
  readonly mayEnd: Uint8Array;
}

const stateMachine = once((): StateMachine => {
  const children = makeTree();
  const steps = new Uint32Array(innerNodes * 16);
  for (let state = 0; state < innerNodes; state++) {
    for (let nibble = 0; nibble < 16; nibble++)
      steps[state * 16 + nibble] = stepFrom(children, state, nibble);
  }
  const mayEnd = new Uint8Array(innerNodes);
  let paddedNode = 0;
  for (let bits = 0; bits <= longestPaddingBits; bits++) {
    mayEnd[paddedNode] = 1;
    paddedNode = children[paddedNode * 2 + 1] ?? 0;
  }
  return { steps, mayEnd };
});

/** Returns both children of each inner node: a node, or a symbol with `isLeaf`. */
function makeTree(): Uint16Array {
  const codes = codesOfSymbols();
  const children = new Uint16Array(innerNodes * 2);
  let nodes = 1;
  for (const [symbol, length] of codeLengths.entries()) {
    let node = 0;
    for (let bit = length - 1; bit > 0; bit--) {
      const branch = node * 2 + bitOf(codes[symbol], bit);
      if (children[branch] === 0) children[branch] = nodes++;
      node = children[branch] ?? 0;
    }
    children[node * 2 + bitOf(codes[symbol], 0)] = isLeaf | symbol;
  }
  return children;
}

function bitOf(code = 0, bit: number): number {
  return (code >>> bit) & 1;
}

function stepFrom(children: Uint16Array, state: number, nibble: number): number {
  let node = state;
  let emitted = 0;
  for (let bit = 3; bit >= 0; bit--) {
    const child = children[node * 2 + bitOf(nibble, bit)] ?? 0;
    if (child === (isLeaf | endOfString)) return fails;
    if ((child & isLeaf) === 0) node = child;
    else {
      emitted = emits | ((child & 0xff) << 8);
      node = 0;
    }
  }
  return emitted | node;
}

/** Long enough for most strings; longer ones get a separate buffer. */
const scratch = Buffer.allocUnsafeSlow(4096);
const shortestCodeBits = 5;

/**
 * Decodes a Huffman-encoded string.
 * @throws {HpackError} for padding or an EOS that RFC 7541, section 5.2, forbids
 */
export function decodeHuffman(bytes: Uint8Array, start: number, end: number): string {
  const longest = Math.floor(((end - start) * 8) / shortestCodeBits);
  const text = longest <= scratch.length ? scratch : Buffer.allocUnsafe(longest);
  const { steps, mayEnd } = stateMachine();
  let length = 0;
  let step = 0;
  for (let position = start; position < end; position++) {
    const byte = bytes[position] ?? 0;
    step = steps[(step & 0xff) * 16 + (byte >> 4)] ?? fails;
    if ((step & emits) !== 0) text[length++] = step >> 8;
    else if (step === fails) break;
    step = steps[(step & 0xff) * 16 + (byte & 0xf)] ?? fails;
    if ((step & emits) !== 0) text[length++] = step >> 8;
    else if (step === fails) break;
  }
  if (step === fails) throw new HpackError("a Huffman-encoded string contains EOS");
  if (mayEnd[step & 0xff] === 0) throw new HpackError("a Huffman-encoded string ends with wrong padding");
  return text.toString("latin1", 0, length);
}

/** Returns the Huffman-encoded length of a text in bytes. */
export function huffmanLength(text: string): number {
  let bits = 0;
  for (let position = 0; position < text.length; position++) {
    bits += codeLengths[text.charCodeAt(position) & 0xff] ?? 0;
  }
  return (bits + 7) >> 3;
}

/** Writes a text, Huffman-encoded, and returns the position after it. */
export function encodeHuffman(text: string, target: Uint8Array, start: number): number {
  const codes = codesOfSymbols();
  let end = start;
  /** The low bits hold up to 7 bits that do not fill a byte yet; the bits above have been written. */
  let pending = 0;
  let pendingBits = 0;
  for (let position = 0; position < text.length; position++) {
    const symbol = text.charCodeAt(position) & 0xff;
    const code = codes[symbol] ?? 0;
    let bits = codeLengths[symbol] ?? 0;
    // 7 + 30 bits do not fit in 32: a long code goes in two parts.
    if (bits > 16) {
      bits -= 16;
      pending = (pending << bits) | (code >>> 16);
      pendingBits += bits;
      while (pendingBits >= 8) target[end++] = pending >>> (pendingBits -= 8);
      bits = 16;
    }
    pending = (pending << bits) | (code & 0xffff);
    pendingBits += bits;
    while (pendingBits >= 8) target[end++] = pending >>> (pendingBits -= 8);
  }
  // The rest of the last byte begins EOS: all ones.
  if (pendingBits > 0) target[end++] = (pending << (8 - pendingBits)) | (0xff >> pendingBits);
  return end;
}
