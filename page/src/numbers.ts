// Numbers for people, as src/words/numbers.cc writes them. A share is cut, not rounded, from its shortest exact
// decimal form: 0.79996 cannot become a 0.800 that seems to reach the threshold.

import type { Value } from './facts';

const usual_decimals = 3;
const most_decimals = 6; // With more, a share near 0 or 1 is shown as a bound.

export function count(value: number | undefined): string {
  return String(Math.round(value ?? 0)).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function counted(value: number | undefined, one: string, more: string): string {
  return `${count(value)} ${value === 1 ? one : more}`;
}

/** The digits after "0.". */
function decimalsOf(value: number): string {
  const text = String(value);
  return text.includes('e') ? '0'.repeat(most_decimals) : text.slice(2);
}

function firstNot(text: string, digit: string): number {
  let i = 0;
  while (i < text.length && text[i] === digit) ++i;
  return i;
}

export function share(value: number | undefined, threshold = 0): string {
  if (!value || !(value > 0)) return '0.000';
  if (value >= 1) return '1.000';
  const decimals = decimalsOf(value);
  const zeros = firstNot(decimals, '0');
  const nines = firstNot(decimals, '9');
  if (zeros >= most_decimals) return '<0.000001';
  if (nines >= most_decimals && !(value >= threshold && threshold > 0.999999)) return '>0.999999';
  let shown = Math.max(usual_decimals, zeros + 1);
  if (nines >= usual_decimals) shown = Math.max(shown, nines + 1);
  if (threshold > 0 && threshold < 1 && value >= threshold) {
    // Two thirds is 0.666666 here: the threshold counts as it can be written.
    const least = decimalsOf(threshold).slice(0, most_decimals);
    const reaches = (digits: number): boolean => {
      const cut = decimals.slice(0, digits);
      const length = Math.max(cut.length, least.length);
      return cut.padEnd(length, '0') >= least.padEnd(length, '0');
    };
    while (shown < decimals.length && !reaches(shown)) ++shown;
  }
  return `0.${decimals.slice(0, shown).padEnd(shown, '0')}`;
}

export function percent(part = 0, whole = 0): string {
  if (whole === 0) return '-';
  if (part === 0) return '0.0 %';
  if (part >= whole) return part === whole ? '100.0 %' : '>100 %';
  const tenths = Math.round((1000 * part) / whole);
  if (tenths < 1) return '<0.1 %';
  if (tenths > 999) return '>99.9 %';
  return `${(tenths / 10).toFixed(1)} %`;
}

const three = (value: number): string => String(Number(value.toPrecision(3)));

export function bytes(value = 0): string {
  if (value < 1000) return `${value} B`;
  const units = ['kB', 'MB', 'GB', 'TB', 'PB', 'EB'];
  let scaled = value / 1000;
  let unit = 0;
  while (scaled >= 999.5 && unit + 1 < units.length) {
    scaled /= 1000;
    ++unit;
  }
  return `${three(scaled)} ${units[unit]}`;
}

/** "12.3k": on an axis or a tile. */
export function short(value: number): string {
  if (value < 10_000) return count(value);
  if (value < 999_500) return `${three(value / 1e3)}k`;
  if (value < 999_500_000) return `${three(value / 1e6)}M`;
  return `${three(value / 1e9)}G`;
}

export function seconds(value = 0): string {
  if (!(value > 0)) return '0 s';
  if (value < 9.995) return `${value.toFixed(2)} s`;
  if (value < 59.95) return `${value.toFixed(1)} s`;
  const whole = Math.round(value);
  const two = (part: number): string => String(part).padStart(2, '0');
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  return `${count(Math.floor(whole / 3600))} h ${two(Math.floor((whole % 3600) / 60))} min`;
}

export function text(value: Value | undefined): string {
  switch (value?.unit) {
    case 'count': return count(value.number);
    case 'bytes': return bytes(value.number);
    case 'percent': return percent(value.number, value.whole);
    case 'share': return share(value.real, value.threshold);
    case 'seconds': return seconds(value.real);
    default: return String(value?.string ?? '');
  }
}

export function isNumber(value: Value | undefined): boolean {
  return value?.unit !== undefined && !['text', 'code', 'sentence'].includes(value.unit);
}
