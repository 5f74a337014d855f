/** Red, green and blue, each from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

/** A picture as a rule: the colour of each pixel, by its place from the top left. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly colorAt: (x: number, y: number) => Color;
}

/** Between two colours; `share` from 0 (all `from`) to 1 (all `to`), held within. */
export function mix(from: Color, to: Color, share: number): Color {
  const held = Math.min(1, Math.max(0, share));
  const blend = (a: number, b: number): number => Math.round(a + (b - a) * held);
  return [blend(from[0], to[0]), blend(from[1], to[1]), blend(from[2], to[2])];
}
