// Histograms and scatter plots in SVG, as wide as there is room. A chart takes the
// focus: the arrow keys go from bar to bar, and the line below it says what the bar counts; the numbers are in a table, too.

import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Histogram, Plot } from './facts';
import { useWidth } from './hooks';
import { count, short } from './numbers';
import { linear, logarithmic } from './scale';
import type { Scale } from './scale';

const left = 44;
const right = 10;
const top = 10;

/** Positions of counts from 0 on. Logarithmic: 0 is at the bottom, and 1 a step above. */
function heights(most: number, log: boolean, bottom: number): Scale {
  if (!log || most <= 1) {
    const scale = linear([0, Math.max(1, most)], [bottom, top], 4);
    return Object.assign((value: number) => scale(value), { marks: scale.marks.filter((mark) => Number.isInteger(mark)) });
  }
  const scale = logarithmic([1, most], [bottom - 8, top], 4);
  return Object.assign((value: number) => (value <= 0 ? bottom : scale(value)), { marks: scale.marks });
}

export function Bars({ chart }: { chart: Histogram }): JSX.Element {
  const [frame, width] = useWidth<HTMLDivElement>();
  const [at, setAt] = useState<number | undefined>(undefined);
  const bars = chart.bars ?? [];
  const sums = bars.map((bar) => (bar.counts ?? []).reduce((sum, each) => sum + each, 0));
  const series = chart.series ?? [];
  const all = sums.reduce((sum, each) => sum + each, 0);
  const height = 190;
  const bottom = height - 34;
  const inner = Math.max(60, width - left - right);
  const step = inner / Math.max(1, bars.length);
  const y = heights(Math.max(0, ...sums), chart.logarithmic ?? false, bottom);
  const longest = Math.max(1, ...bars.map((bar) => (bar.label ?? '').length));
  const every = Math.max(1, Math.ceil((longest * 6.4 + 8) / step));
  const bar = at === undefined ? undefined : bars[at];
  const told = (i: number): string => {
    const parts = bars[i]?.counts ?? [];
    const kinds = parts.length > 1 ? ` (${parts.map((part, k) => `${count(part)} ${series[k] ?? ''}`).join(', ')})` : '';
    return `${bars[i]?.range ?? ''}: ${count(sums[i])} ${chart.up ?? ''}${kinds}`;
  };
  const move = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = { ArrowLeft: (at ?? bars.length) - 1, ArrowRight: (at ?? -1) + 1, Home: 0, End: bars.length - 1 };
    const next = steps[event.key];
    if (next === undefined || bars.length === 0) return;
    event.preventDefault();
    setAt(Math.min(bars.length - 1, Math.max(0, next)));
  };
  return (
    <figure class="chart">
      <figcaption>
        {chart.title}
        <span class="quiet"> {count(all)} {chart.up}{chart.logarithmic ? '; logarithmic heights' : ''}</span>
      </figcaption>
      {series.length > 1 && <p class="key">{series.map((name, k) => <span key={k}><span class={`swatch s${k + 1}`} />{name}</span>)}</p>}
      <div ref={frame} class="drawing" tabIndex={0} role="group" aria-label={`${chart.title ?? 'Histogram'}: arrow keys read the bars`} onKeyDown={move}
        onBlur={() => setAt(undefined)} onMouseLeave={() => setAt(undefined)}>
        {width > 0 && (
          <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
            {y.marks.map((tick) => (
              <g key={tick}>
                <line class="grid" x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
                <text class="tick" x={left - 6} y={y(tick) + 3.5} text-anchor="end">{short(tick)}</text>
              </g>
            ))}
            {bars.map((each, i) => {
              const x = left + i * step;
              const whole = sums[i] ?? 0;
              let below = bottom;
              return (
                <g key={i} class={i === at ? 'bar at' : 'bar'} onMouseEnter={() => setAt(i)}>
                  <rect class="hit" x={x} y={top} width={step} height={bottom - top} />
                  {(each.counts ?? []).map((part, k) => {
                    const tall = whole === 0 ? 0 : ((bottom - y(whole)) * part) / whole;
                    below -= tall;
                    return tall > 0 && <rect key={k} class={`s${k + 1}`} x={x + Math.min(1.5, step / 8)} y={below} width={Math.max(0.5, step - Math.min(3, step / 4))} height={tall} rx={Math.min(1.5, step / 8)} />;
                  })}
                  {i % every === 0 && <text class="tick" x={x + step / 2} y={bottom + 14} text-anchor="middle">{each.label}</text>}
                </g>
              );
            })}
            <line class="axis" x1={left} x2={width - right} y1={bottom} y2={bottom} />
            <text class="axis-name" x={left + inner / 2} y={height - 4} text-anchor="middle">{chart.across}</text>
          </svg>
        )}
      </div>
      <p class="reading" aria-live="polite">{bar && at !== undefined ? told(at) : '\u00a0'}</p>
      <details>
        <summary>As a table</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label={`${chart.title ?? ''}, as a table`}>
          <table>
            <thead><tr><th scope="col">{chart.across}</th>{series.map((name, k) => <th scope="col" class="n" key={k}>{name}</th>)}</tr></thead>
            <tbody>
              {bars.map((each, i) => sums[i] !== 0 && (
                <tr key={i}><td>{each.range}</td>{(each.counts ?? []).map((part, k) => <td class="n" key={k}>{count(part)}</td>)}</tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

/** Points of a series are one path of dots, so that tens of thousands cost one element. */
export function Scatter({ plot }: { plot: Plot }): JSX.Element {
  const [frame, width] = useWidth<HTMLDivElement>();
  const [near, setNear] = useState<[string, number, number] | undefined>(undefined);
  const series = plot.series ?? [];
  const height = 300;
  const bottom = height - 36;
  const made = useMemo(() => {
    const points = series.flatMap((each) => each.points ?? []);
    const log = plot.logarithmic ?? false;
    const seen = (k: 0 | 1): [number, number] => {
      let low = Infinity;
      let high = -Infinity;
      for (const point of points) {
        const value = point[k];
        if (log && value <= 0) continue;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
      for (const each of series) {
        if (k === 0 && each.threshold !== undefined && each.threshold > 0) high = Math.max(high, each.threshold);
      }
      if (!(low <= high)) return [1, 10];
      if (!log) low = Math.min(low, 0);
      return low === high ? [low, low + 1] : [low, high];
    };
    const x = (log ? logarithmic : linear)(seen(0), [left + 6, Math.max(left + 60, width - right)], 6);
    const y = (log ? logarithmic : linear)(seen(1), [bottom, top], 5);
    const shown = (value: [number, number]): boolean => !log || (value[0] > 0 && value[1] > 0);
    const paths = series.map((each) => (each.points ?? []).filter(shown).map((point) => `M${x(point[0]).toFixed(1)},${y(point[1]).toFixed(1)}h0`).join(''));
    return { x, y, paths, shown };
  }, [plot, width]);
  const look = (event: MouseEvent): void => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const [mx, my] = [event.clientX - box.left, event.clientY - box.top];
    let best = 24 * 24;
    let found: [string, number, number] | undefined;
    for (const each of series) {
      for (const point of each.points ?? []) {
        if (!made.shown(point)) continue;
        const far = (made.x(point[0]) - mx) ** 2 + (made.y(point[1]) - my) ** 2;
        if (far < best) [best, found] = [far, [each.name ?? '', point[0], point[1]]];
      }
    }
    setNear(found);
  };
  return (
    <figure class="chart wide">
      <figcaption>{plot.title}<span class="quiet">{plot.logarithmic ? ' both axes are logarithmic' : ''}</span></figcaption>
      <p class="key">
        {series.map((each, k) => (
          <span key={k}><span class={`swatch s${k + 1}`} />{each.name}{each.threshold !== undefined && `, threshold ${count(each.threshold)}`}</span>
        ))}
      </p>
      <div ref={frame} class="drawing" onMouseMove={look} onMouseLeave={() => setNear(undefined)}>
        {width > 0 && (
          <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={`${plot.title ?? ''}: ${plot.up ?? ''} by ${plot.across ?? ''}`}>
            {made.y.marks.map((tick) => (
              <g key={tick}>
                <line class="grid" x1={left} x2={width - right} y1={made.y(tick)} y2={made.y(tick)} />
                <text class="tick" x={left - 6} y={made.y(tick) + 3.5} text-anchor="end">{short(tick)}</text>
              </g>
            ))}
            {made.x.marks.map((tick) => <text key={tick} class="tick" x={made.x(tick)} y={bottom + 15} text-anchor="middle">{short(tick)}</text>)}
            {series.map((each, k) => each.threshold !== undefined && each.threshold > 0 && (
              <line key={k} class={`threshold t${k + 1}`} x1={made.x(each.threshold)} x2={made.x(each.threshold)} y1={top} y2={bottom} />
            ))}
            {made.paths.map((path, k) => <path key={k} class={`dots t${k + 1}`} d={path} />)}
            {near && <circle class="near" cx={made.x(near[1])} cy={made.y(near[2])} r="5" />}
            <line class="axis" x1={left} x2={width - right} y1={bottom} y2={bottom} />
            <text class="axis-name" x={(left + width - right) / 2} y={height - 4} text-anchor="middle">{plot.across}</text>
          </svg>
        )}
      </div>
      <p class="reading">{near ? `${near[0]}: ${count(near[2])} ${plot.up ?? ''} at ${count(near[1])} ${plot.across ?? ''}` : '\u00a0'}</p>
    </figure>
  );
}
