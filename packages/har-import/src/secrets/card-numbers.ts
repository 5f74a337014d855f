import type { Span } from "@bearhug/sdk/internal";

/** Digits in a row, or with one blank or dash between them. What stands behind a number, such as its code, may be among them. */
const written = /(?<![\w.+/-])\d(?:[ -]?\d){13,18}(?![\w/-])/g;
/** As they are embossed: not in pairs, as dates are. */
const group = /^\d{3,7}$/;
/** Of issuers by how their numbers begin, how long these are. Lengths that everyday numbers share are left out. */
const issued = /^(?:3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:4\d|5[1-5]|2[2-7]|35|6\d)\d{14}|62\d{15,17})$/;

/** The numbers of payment cards in a text, told by issuer, length and check digit. */
export function findCardNumbers(text: string): Span[] {
  return Array.from(text.matchAll(written), ({ index, 0: digits }) => ({
    start: index,
    end: index + lengthOfNumber(digits),
  })).filter(({ start, end }) => end > start);
}

function lengthOfNumber(digits: string): number {
  if (isCardNumber(digits)) return digits.length;
  const groups = digits.split(/[ -]/);
  for (let count = groups.length; count >= 3; count--) {
    const first = groups.slice(0, count);
    if (first.every((one) => group.test(one)) && isCardNumber(first.join(""))) return first.join("-").length;
  }
  return 0;
}

function isCardNumber(digits: string): boolean {
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
