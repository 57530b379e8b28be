// A cluster as a graph, placed by d3-force, which is deterministic. Thicker lines are more alike; a dashed one is below
// the threshold. The arrow keys go from document to document.

import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force';
import type { SimulationLinkDatum, SimulationNodeDatum } from 'd3-force';
import type { GraphEdge } from './facts';
import { count, share } from './numbers';

export interface Node {
  name: string;
  copies?: number;
  first?: boolean;
  marked?: boolean;
}

interface Body extends SimulationNodeDatum {
  radius: number;
}

const width = 460;
const height = 300;
export const most_drawn = 400;

export function Graph({ nodes, edges, threshold, label, onOpen }: {
  nodes: Node[]; edges: GraphEdge[]; threshold?: number | undefined; label: string; onOpen?: (node: number) => void;
}): JSX.Element {
  const [at, setAt] = useState<number | undefined>(undefined);
  const drawing = useRef<SVGSVGElement>(null);
  const drawn = Math.min(nodes.length, most_drawn);
  const kept = useMemo(() => edges.map(({ a = 0, b = 0, resemblance = 0.5 }) => ({ a, b, resemblance })).filter(({ a, b }) => a < drawn && b < drawn && a !== b), [edges, drawn]);
  const bodies = useMemo(() => {
    const made: Body[] = nodes.slice(0, drawn).map((node) => ({ radius: Math.min(16, 4.5 + 1.8 * Math.sqrt((node.copies ?? 1) - 1)) }));
    const links: (SimulationLinkDatum<Body> & { alike: number })[] = kept.map((edge) => ({ source: edge.a, target: edge.b, alike: edge.resemblance }));
    const ticks = drawn > 150 ? 120 : 260;
    forceSimulation(made)
      .force('link', forceLink<Body, (typeof links)[number]>(links).distance((link) => 22 + 110 * (1 - link.alike)).strength(drawn > 60 ? 0.15 : 0.4))
      .force('charge', forceManyBody<Body>().strength(-90).distanceMax(260))
      .force('x', forceX<Body>(0).strength(0.05)).force('y', forceY<Body>(0).strength(0.09))
      .force('collide', forceCollide<Body>((body) => body.radius + 2)).stop().tick(ticks);
    const xs = made.map((body) => body.x ?? 0);
    const ys = made.map((body) => body.y ?? 0);
    const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const scale = Math.min((width - 48) / Math.max(60, x1 - x0), (height - 48) / Math.max(60, y1 - y0));
    return made.map((body) => ({
      x: width / 2 + scale * ((body.x ?? 0) - (x0 + x1) / 2), y: height / 2 + scale * ((body.y ?? 0) - (y0 + y1) / 2), radius: body.radius,
    }));
  }, [nodes, kept, drawn]);
  const focus = (next: number): void => {
    setAt(next);
    drawing.current?.querySelectorAll<SVGElement>('.node')[next]?.focus();
  };
  const move = (event: KeyboardEvent): void => {
    const now = at ?? 0;
    if (event.key === 'ArrowRight' || event.key === 'ArrowDown') focus((now + 1) % drawn);
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowUp') focus((now + drawn - 1) % drawn);
    else if (event.key === 'Home') focus(0);
    else if (event.key === 'End') focus(drawn - 1);
    else if ((event.key === 'Enter' || event.key === ' ') && onOpen) onOpen(now);
    else return;
    event.preventDefault();
  };
  const pairs = at === undefined ? 0 : kept.filter((edge) => edge.a === at || edge.b === at).length;
  const told = (i: number): string => `${nodes[i]?.name ?? ''}${(nodes[i]?.copies ?? 1) > 1 ? `, and ${count((nodes[i]?.copies ?? 1) - 1)} equal to it` : ''}`;
  return (
    <div class="graph">
      <svg ref={drawing} viewBox={`0 0 ${width} ${height}`} class={kept.length > 200 ? 'dense' : ''} role="group" aria-label={`${label}: the arrow keys go from document to document`} onKeyDown={move}
        onMouseLeave={() => setAt(undefined)}>
        {kept.map((edge, i) => {
          const [a, b] = [bodies[edge.a], bodies[edge.b]];
          const alike = edge.resemblance;
          const below = threshold !== undefined && threshold > 0 && alike < threshold;
          return a && b && (
            <line key={i} class={`edge e${below ? 0 : Math.min(5, 1 + Math.floor(Math.max(0, alike - 0.5) * 9.999))}${edge.a === at || edge.b === at ? ' at' : ''}`}
              x1={a.x.toFixed(1)} y1={a.y.toFixed(1)} x2={b.x.toFixed(1)} y2={b.y.toFixed(1)}><title>{share(alike, threshold)}</title></line>
          );
        })}
        {bodies.map((body, i) => (
          <circle key={i} class={`node${nodes[i]?.first ? ' first' : ''}${nodes[i]?.marked ? ' marked' : ''}${i === at ? ' at' : ''}`} cx={body.x.toFixed(1)} cy={body.y.toFixed(1)} r={body.radius.toFixed(1)}
            role={onOpen ? 'button' : 'img'} aria-label={told(i)} tabIndex={i === (at ?? 0) ? 0 : -1} onFocus={() => setAt(i)} onMouseEnter={() => setAt(i)} onClick={() => onOpen?.(i)} />
        ))}
      </svg>
      <p class="reading" aria-hidden="true">
        {at === undefined ? (nodes.length > drawn ? `The first ${count(drawn)} of ${count(nodes.length)} documents.` : '\u00a0') : <><bdi>{told(at)}</bdi>; {count(pairs)} {pairs === 1 ? 'pair' : 'pairs'}</>}
      </p>
    </div>
  );
}
