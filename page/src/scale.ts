// From values to pixels, and the values to mark: d3-array chooses round ones, d3-time those of calendars.

import { nice, ticks } from 'd3-array';
import { utcTicks } from 'd3-time';

export interface Scale {
  (value: number): number;
  marks: number[];
}

type Ends = [number, number];

function scale(from: Ends, to: Ends, bend: (value: number) => number, marks: number[]): Scale {
  const [low, high] = [bend(from[0]), bend(from[1])];
  const at = (value: number): number => to[0] + ((bend(value) - low) / (high - low || 1)) * (to[1] - to[0]);
  return Object.assign(at, { marks });
}

export function linear(values: Ends, pixels: Ends, about: number): Scale {
  const ends = nice(values[0], values[1], about);
  return scale(ends, pixels, (value) => value, ticks(ends[0], ends[1], about));
}

/** From a power of ten to another one; `values` are above 0. */
export function logarithmic(values: Ends, pixels: Ends, about: number): Scale {
  const [low, high] = [Math.floor(Math.log10(values[0])), Math.max(Math.floor(Math.log10(values[0])) + 1, Math.ceil(Math.log10(values[1])))];
  const step = Math.max(1, Math.ceil((high - low) / about));
  const marks: number[] = [];
  for (let power = low; power <= high; power += step) marks.push(10 ** power);
  return scale([10 ** low, 10 ** high], pixels, Math.log10, marks);
}

/** Of milliseconds since 1970. */
export function timely(values: Ends, pixels: Ends, about: number): Scale {
  return scale(values, pixels, (value) => value, utcTicks(new Date(values[0]), new Date(values[1]), about).map((date) => +date));
}

/** As short as the time between two marks allows. */
export function dateMark(time: number, step: number): string {
  const text = new Date(time).toISOString();
  const day = 86_400_000;
  if (step > 360 * day) return text.slice(0, 4);
  return step > 27 * day ? text.slice(0, 7) : step >= day ? text.slice(0, 10) : text.slice(5, 16).replace('T', ' ');
}
