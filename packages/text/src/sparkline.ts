/** The levels of a sparkline in Unicode, from lowest to highest. */
export const blockLevels = "▁▂▃▄▅▆▇█";

/**
 * Renders figures as a line of levels, one column each. The greatest figure has the highest level; null and 0
 * are drawn as `nothing`.
 */
export function renderSparkline(
  figures: readonly (number | null)[],
  { levels, nothing = " " }: { readonly levels: string; readonly nothing?: string },
): string {
  const most = Math.max(0, ...figures.map((figure) => figure ?? 0));
  const draw = (figure: number | null): string =>
    figure === null || figure <= 0
      ? nothing
      : (levels[Math.ceil((figure / most) * levels.length) - 1] ?? nothing);
  return figures.map(draw).join("");
}
