/** A space that is narrow if the font supports it, and at which lines never break. */
const thinSpace = "\u202f";

/** Groups the digits before the decimal point by threes, from five digits on: 1240, 16 048. */
export function groupDigits(digits: string): string {
  const dot = digits.indexOf(".");
  const end = dot === -1 ? digits.length : dot;
  const whole = digits.slice(0, end);
  if (!/\d{5}/.test(whole)) return digits;
  return whole.replace(/\B(?=(?:\d{3})+$)/g, thinSpace) + digits.slice(end);
}

/** Formats a count, with all its digits: 1240, 16 048. */
export function formatCount(count: number): string {
  return groupDigits(count.toFixed(0));
}

/** Formats a number without a unit, to three digits if it is not whole: 5, 2.98, 1240. */
export function formatNumber(value: number, digits = 3): string {
  return Number.isInteger(value) && Math.abs(value) < 1e15
    ? formatCount(value)
    : groupDigits(toSignificant(value, digits));
}

/** Formats a count with its noun: 1 request, 1204 requests. */
export function formatCounted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Formats a rate per second: 178/s, 0.42/s. */
export function formatRate(perSecond: number, digits = 3): string {
  return `${groupDigits(toSignificant(perSecond, digits))}/s`;
}

/** Marks a value that may truly be greater. */
export function markLowerBound(value: string, isLowerBound: boolean): string {
  return isLowerBound ? `≥${value}` : value;
}

/** Formats `value` with this many significant digits, never in exponent form: 1.10, 15.2, 412, 1240. */
export function toSignificant(value: number, digits: number): string {
  if (value === 0) return "0";
  const decimals = digits - 1 - Math.floor(Math.log10(Math.abs(value)));
  const rounded = value.toFixed(clampDecimals(decimals));
  // Rounding may have carried into another place (9.996 → 10.00), so digits are counted
  // in the rounded number.
  const carried = digits - 1 - Math.floor(Math.log10(Math.abs(Number(rounded)) || Math.abs(value)));
  return value.toFixed(clampDecimals(Math.min(decimals, carried)));
}

function clampDecimals(decimals: number): number {
  return Math.min(12, Math.max(0, decimals));
}
