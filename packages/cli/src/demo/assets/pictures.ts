import { type Color, mix, type Raster } from "./raster.ts";

const night: Color = [18, 20, 48];
const glow: Color = [64, 190, 150];
const dusk: Color = [242, 169, 59];
const hill: Color = [16, 18, 22];

/** The front page's picture: an aurora over hills. Shown at several times its size, which suits a sky. */
export const aurora: Raster = {
  width: 192,
  height: 48,
  colorAt: (x, y) => {
    const hillTop = 38 + 4 * Math.sin(x / 17) + 3 * Math.sin(x / 7 + 2);
    const curtain = 18 + 8 * Math.sin(x / 23) + 4 * Math.sin(x / 9 + 1);
    const light = Math.exp(-(((y - curtain) / 9) ** 2)) * (0.65 + 0.35 * Math.sin(x / 5));
    const sky = mix(mix(night, dusk, (y - 22) / 36), glow, light);
    return mix(sky, hill, y - hillTop + 0.5);
  },
};

const straw: Color = [255, 222, 120];
const amber: Color = [226, 118, 28];
const bark: Color = [110, 58, 22];
const paper: Color = [255, 250, 242];

/** A product's picture: a honeycomb cell, its honey lighter or darker by the product. */
export function honeycomb(id: number): Raster {
  const age = ((id * 37) % 41) / 40;
  const [inner, outer] = [mix(straw, amber, age), mix(amber, bark, age)];
  return {
    width: 96,
    height: 96,
    colorAt: (x, y) => {
      const [dx, dy] = [Math.abs(x - 47.5), Math.abs(y - 47.5)];
      const distance = Math.max(dx * 0.866 + dy * 0.5, dy);
      return mix(mix(inner, outer, distance / 36), paper, distance - 38);
    },
  };
}
