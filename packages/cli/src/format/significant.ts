/** `value` with this many significant digits, never in exponent form: 1.10, 15.2, 412, 1240. */
export function toSignificant(value: number, digits: number): string {
  if (value === 0) return "0";
  const decimals = digits - 1 - Math.floor(Math.log10(Math.abs(value)));
  const rounded = value.toFixed(clampDecimals(decimals));
  // Rounding may have carried into another place (9.996 → 10.00): count digits from what came out.
  const carried = digits - 1 - Math.floor(Math.log10(Math.abs(Number(rounded)) || Math.abs(value)));
  return value.toFixed(clampDecimals(Math.min(decimals, carried)));
}

function clampDecimals(decimals: number): number {
  return Math.min(12, Math.max(0, decimals));
}
