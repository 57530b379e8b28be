// What goes from where to where, as bands between two columns. The table beside it has the same for those who do not see it.

import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { useWidth } from './hooks';
import { count, short } from './numbers';
import type { Flow } from './reuse';

const most_nodes = 12;
const least_height = 20; // of a node, for its name
const bands_height = 220;

interface Node {
  name: string;
  amount: number;
  y: number;
  height: number;
  /** Where the next band begins. */
  next: number;
}

function columnOf(flows: Flow[], nameOf: (flow: Flow) => string): { nodes: Node[]; of: (flow: Flow) => Node } {
  const sums = new Map<string, number>();
  for (const flow of flows) sums.set(nameOf(flow), (sums.get(nameOf(flow)) ?? 0) + flow.matches);
  const ordered = [...sums].sort((a, b) => b[1] - a[1]);
  const all = Math.max(1, ordered.reduce((sum, [, amount]) => sum + amount, 0));
  const kept = ordered.length > most_nodes ? ordered.slice(0, most_nodes - 1) : ordered;
  const rest = ordered.slice(kept.length);
  if (rest.length > 0) kept.push([`${count(rest.length)} others`, rest.reduce((sum, [, amount]) => sum + amount, 0)]);
  let y = 0;
  const nodes = kept.map(([name, amount]): Node => {
    const height = Math.max(least_height, (bands_height * amount) / all);
    const node = { name, amount, y, height, next: y + (height - (bands_height * amount) / all) / 2 };
    y += height + 6;
    return node;
  });
  const known = new Map(nodes.map((node) => [node.name, node]));
  const last = nodes[nodes.length - 1] as Node;
  return { nodes, of: (flow) => known.get(nameOf(flow)) ?? last };
}

export function FlowChart({ flows, unit }: { flows: Flow[]; unit: string }): JSX.Element {
  const [frame, width] = useWidth<HTMLDivElement>();
  const drawn = useMemo(() => {
    const left = columnOf(flows, (flow) => flow.known_from);
    const right = columnOf(flows, (flow) => flow.site);
    const all = Math.max(1, flows.reduce((sum, flow) => sum + flow.matches, 0));
    const joined = new Map<string, { from: Node; to: Node; amount: number; self: boolean }>();
    for (const flow of flows) {
      const [from, to] = [left.of(flow), right.of(flow)];
      const key = `${from.name}\n${to.name}`;
      const band = joined.get(key) ?? { from, to, amount: 0, self: flow.site === flow.known_from };
      band.amount += flow.matches;
      joined.set(key, band);
    }
    const bands = [...joined.values()].sort((a, b) => a.from.y - b.from.y || a.to.y - b.to.y).map((band) => ({ ...band, thick: (bands_height * band.amount) / all, y0: 0, y1: 0 }));
    for (const band of bands) {
      band.y0 = band.from.next;
      band.from.next += band.thick;
    }
    for (const band of [...bands].sort((a, b) => a.to.y - b.to.y || a.from.y - b.from.y)) {
      band.y1 = band.to.next;
      band.to.next += band.thick;
    }
    const height = Math.max(...[...left.nodes, ...right.nodes].map((node) => node.y + node.height));
    return { left: left.nodes, right: right.nodes, bands, height };
  }, [flows]);
  const side = Math.max(90, Math.min(300, width * 0.32));
  const [x0, x1] = [side, width - side];
  const middle = (x0 + x1) / 2;
  const name = (node: Node, x: number, style: string): JSX.Element => (
    <foreignObject key={node.name} x={x} y={node.y + node.height / 2 - 10} width={side - 10} height={20}>
      <div class={`flow-name ${style}`} title={node.name}><bdi>{node.name}</bdi> <span class="quiet">{short(node.amount)}</span></div>
    </foreignObject>
  );
  return (
    <div ref={frame} class="flow" role="img" aria-label={`Bands from where ${unit} are known to where they are shown; the table has the numbers`}>
      <p class="flow-head" aria-hidden="true"><span>known from</span><span>shown by</span></p>
      {width > 0 && (
        <svg width={width} height={drawn.height} viewBox={`0 0 ${width} ${drawn.height}`} aria-hidden="true">
          {drawn.bands.map(({ from, to, amount, thick, y0, y1, self }, i) => (
            <path key={i} class={self ? 'band self' : 'band'} d={`M${x0} ${y0}C${middle} ${y0} ${middle} ${y1} ${x1} ${y1}v${Math.max(1, thick)}C${middle} ${y1 + Math.max(1, thick)} ${middle} ${y0 + Math.max(1, thick)} ${x0} ${y0 + Math.max(1, thick)}Z`}>
              <title>{`${from.name} to ${to.name}: ${count(amount)} ${unit}`}</title>
            </path>
          ))}
          {drawn.left.map((node) => name(node, 0, 'left'))}
          {drawn.right.map((node) => name(node, x1 + 10, 'right'))}
        </svg>
      )}
    </div>
  );
}
