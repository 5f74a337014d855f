import type { Span } from "./span.ts";

/** Digits as they are embossed or typed: in a row, or in groups with one blank or dash between them. */
const written = /(?<![\w.+/-])\d{3,6}(?:[ -]?\d{2,6}){2,5}(?![\w/-])/g;
/** Of issuers by how their numbers begin, how long these are. Lengths that everyday numbers share are left out. */
const issued = /^(?:3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:4\d|5[1-5]|2[2-7]|35|6\d)\d{14}|62\d{15,17})$/;

/** The numbers of payment cards in a text, told by issuer, length and check digit. */
export function findCardNumbers(text: string): Span[] {
  return [...text.matchAll(written)]
    .filter(([number]) => isCardNumber(number))
    .map(({ index, 0: number }) => ({ start: index, end: index + number.length }));
}

function isCardNumber(number: string): boolean {
  const digits = number.replace(/[ -]/g, "");
  return issued.test(digits) && hasCheckDigit(digits);
}

/** Every second digit from the right is doubled; the sum of all digits is a multiple of ten. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let at = digits.length - 1, isDoubled = false; at >= 0; at--, isDoubled = !isDoubled) {
    const value = Number(digits.charAt(at)) * (isDoubled ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
