// Areas by d3-hierarchy's squarified treemap. One tile is in the order of Tab; the arrow keys go to the next one in their
// direction, and Enter opens it.

import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import { useWidth } from './hooks';
import { count, short } from './numbers';

export interface Area {
  name: string;
  count: number;
  note?: string;
  link?: string;
  /** How dark it is, up to 1; else by its size. */
  dark?: number;
  children?: Area[];
}

interface Placed {
  area: Area;
  x: number;
  y: number;
  width: number;
  height: number;
  shade: number;
}

const step: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The nearest tile whose middle lies in that direction. */
function nextOf(tiles: Placed[], from: number, [dx, dy]: [number, number]): number {
  const at = tiles[from];
  if (!at) return from;
  let best = Infinity;
  let found = from;
  tiles.forEach((tile, i) => {
    const x = tile.x + tile.width / 2 - (at.x + at.width / 2);
    const y = tile.y + tile.height / 2 - (at.y + at.height / 2);
    const along = dx * x + dy * y;
    const aside = Math.abs(dy * x + dx * y);
    const far = along + 2 * aside;
    if (i !== from && along > 0.5 && far < best) [best, found] = [far, i];
  });
  return found;
}

export function TreeMap({ areas, label, unit }: { areas: Area[]; label: string; unit: string }): JSX.Element {
  const [frame, width] = useWidth<HTMLDivElement>();
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const height = Math.round(Math.min(560, Math.max(320, width * 0.55)));
  const tiles = useMemo((): Placed[] => {
    if (width === 0) return [];
    const root = hierarchy<Area>({ name: '', count: 0, children: areas }).sum((area) => (area.children?.length ? 0 : Math.max(0, area.count)));
    root.sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
    const placed = treemap<Area>().tile(treemapSquarify).size([width, height]).paddingInner(2).round(true)(root).leaves();
    const largest = Math.max(1, ...placed.map((leaf) => leaf.value ?? 0));
    return placed.filter((leaf) => leaf.depth > 0 && leaf.x1 > leaf.x0 && leaf.y1 > leaf.y0).map((leaf) => ({
      area: leaf.data, x: leaf.x0, y: leaf.y0, width: leaf.x1 - leaf.x0, height: leaf.y1 - leaf.y0,
      shade: [0.6, 0.3, 0.15, 0.05].filter((share) => leaf.data.dark === undefined ? (leaf.value ?? 0) < share * largest : leaf.data.dark < share).length,
    }));
  }, [areas, width, height]);
  const focus = (next: number): void => {
    setAt(next);
    list.current?.querySelectorAll<HTMLElement>('[data-tile]')[next]?.focus();
  };
  const move = (event: KeyboardEvent): void => {
    const way = step[event.key];
    if (way) focus(nextOf(tiles, at, way));
    else if (event.key === 'Home') focus(0);
    else if (event.key === 'End') focus(tiles.length - 1);
    else return;
    event.preventDefault();
  };
  const shown = tiles[Math.min(at, tiles.length - 1)]?.area;
  return (
    <div class="treemap">
      <div ref={frame} class="tiles-frame">
        <ul ref={list} class="tiles" aria-label={`${label}: the arrow keys go from tile to tile`} onKeyDown={move} style={{ height: `${height}px` }}>
          {tiles.map(({ area, x, y, width: w, height: h, shade }, i) => {
            const told = `${area.name}: ${count(area.count)} ${unit}${area.note ? `, ${area.note}` : ''}`;
            const inside = (
              <>
                <span class="unseen">{told}</span>
                {w > 44 && h > 20 && <span aria-hidden="true" class="tile-text">
                <bdi class="tile-name" style={{ webkitLineClamp: String(Math.max(1, Math.floor((h - (h > 36 ? 26 : 8)) / 16))) }}>{area.name}</bdi>
                {h > 36 && <span class="tile-count">{w > 90 ? `${count(area.count)} ${unit}` : short(area.count)}</span>}
                {h > 78 && w > 110 && area.note && <bdi class="tile-note">{area.note}</bdi>}
                </span>}
              </>
            );
            const common = {
              class: `tile h${shade}`, title: told, tabIndex: i === Math.min(at, tiles.length - 1) ? 0 : -1, 'data-tile': i, onFocus: () => setAt(i), onMouseEnter: () => setAt(i),
            };
            return (
              <li key={i} style={{ left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` }}>
                {area.link ? <a href={area.link} {...common}>{inside}</a> : <span {...common} role="group">{inside}</span>}
              </li>
            );
          })}
        </ul>
      </div>
      <p class="reading" aria-hidden="true">{shown ? <><bdi>{shown.name}</bdi>: {count(shown.count)} {unit}{shown.note ? <>, <bdi>{shown.note}</bdi></> : ''}</> : '\u00a0'}</p>
    </div>
  );
}
