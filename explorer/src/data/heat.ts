// The colour scale of the map: calm below half of the rate, warm near it, alarming above. Refused
// requests are hatched, so that colour is never the only sign.

export const heatMax = 1.4; // shares above have the last colour
const size = 256;

type Colour = [number, number, number];
const light: [number, Colour][] = [
  [0, [232, 238, 243]], [0.12, [196, 219, 230]], [0.4, [118, 178, 194]], [0.7, [236, 188, 92]], [1, [214, 88, 74]], [heatMax, [138, 30, 72]],
];
const dark: [number, Colour][] = [
  [0, [27, 36, 54]], [0.12, [30, 58, 84]], [0.4, [38, 118, 134]], [0.7, [206, 160, 70]], [1, [222, 90, 76]], [heatMax, [255, 170, 190]],
];

function between(stops: [number, Colour][], share: number): Colour {
  for (let i = 1; i < stops.length; i++) {
    const [low, from] = stops[i - 1]!;
    const [high, to] = stops[i]!;
    if (share > high) continue;
    const part = Math.max(0, (share - low) / (high - low));
    return from.map((value, j) => Math.round(value + (to[j]! - value) * part)) as Colour;
  }
  return stops.at(-1)![1];
}

// Pixels as canvases keep them (little-endian RGBA), by share of the scale.
export function palette(isDark: boolean): Uint32Array {
  const stops = isDark ? dark : light;
  return Uint32Array.from({ length: size }, (_, i) => {
    const [red, green, blue] = between(stops, (i / (size - 1)) * heatMax);
    return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  });
}

export function paletteIndex(share: number): number {
  return Math.max(0, Math.min(size - 1, Math.round((share / heatMax) * (size - 1))));
}

export function cssColour(isDark: boolean, share: number): string {
  return `rgb(${between(isDark ? dark : light, share).join(' ')})`;
}

// Black or white, whichever reads better on the colour of that share.
export function inkOn(isDark: boolean, share: number): string {
  const [red, green, blue] = between(isDark ? dark : light, share).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Colour;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#10151f' : '#ffffff';
}
