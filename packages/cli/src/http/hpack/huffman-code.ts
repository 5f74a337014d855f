/**
 * The lengths of the codes of RFC 7541, appendix B, in bits, one digit of base 36 for each symbol: the 256 bytes, and EOS.
 * The code is canonical, so the codes follow from their lengths: sorted by length, then by symbol, each is the one before
 * plus 1.
 */
const lengths =
  "dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6cad67777777777777777777777878djde6f5656566657766" +
  "6567655677777fbedskmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmnqqkjmnmpqqqrrqopjlqrrqrollqq" +
  "srrrkoklmllnmmppooqnqrqqrrrrrsrrrrrqu";

const symbols = 257;
/** The symbol that ends a code and must not occur. */
export const endOfString = 256;

export const codeLengths: Uint8Array = Uint8Array.from(lengths, (digit) => Number.parseInt(digit, 36));
export const codes: Uint32Array = new Uint32Array(symbols);

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
