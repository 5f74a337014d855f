const maxDecimals = 4;

/**
 * Formats a share of 1 as a percentage: "0.42 %". Only 0 is "0 %" and only 1 is "100 %": one failure in a
 * million must not disappear by rounding.
 */
export function formatPercent(share: number, decimals = 2): string {
  if (share === 0) return "0 %";
  if (share === 1) return "100 %";
  for (let shown = decimals; shown <= Math.max(decimals, maxDecimals); shown += 1) {
    const percent = (share * 100).toFixed(shown);
    if (Number(percent) !== 0 && Number(percent) !== 100) return `${percent} %`;
  }
  if (share > 1) return ">100 %";
  return share < 0.5
    ? `<${(10 ** -maxDecimals).toFixed(maxDecimals)} %`
    : `>${(100 - 10 ** -maxDecimals).toFixed(maxDecimals)} %`;
}
