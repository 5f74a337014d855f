/**
 * The latest figures as a line of levels, one column each, that grows to the right until it is full. The greatest figure has the
 * highest level; nothing is drawn for null and 0.
 */
export function renderSparkline(
  figures: readonly (number | null)[],
  columns: number,
  levels: string,
): string {
  const shown = figures.slice(-columns);
  const most = Math.max(0, ...shown.map((figure) => figure ?? 0));
  const line = shown.map((figure) => {
    if (figure === null || figure <= 0) return " ";
    return levels[Math.ceil((figure / most) * levels.length) - 1] ?? " ";
  });
  return line.join("").padEnd(columns);
}
