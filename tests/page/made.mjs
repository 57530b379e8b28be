// Made facts of a report, as docs/formats/report.md has them, of any size and with any text.

const words = 'the harbor master said that every boat must show its lamp after dusk because fog comes quickly from the north and nobody sees the rocks'.split(' ');

/** Numbers that are the same in each run. */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function sentence(random, length) {
  return Array.from({ length }, () => words[Math.floor(random() * words.length)]).join(' ');
}

const count = (number) => ({ unit: 'count', number });
const share = (real, threshold = 0.8) => ({ unit: 'share', real, threshold });

/** `text`: of an id, a name or a passage, by its number. `marks`: of charts, the map, the graph and the table, at most. */
export function dedupFacts({ clusters = 12, members = 8, marks = 40, seed = 1, text = undefined } = {}) {
  const random = randomOf(seed);
  let number = 0;
  const name = (made) => (text === undefined ? made : text(number++));
  const document = (kind, i) => ({ id: name(`${kind}-${i}`), file: name(`news/2026-${String(1 + (i % 12)).padStart(2, '0')}.jsonl.zst`), record: 1 + i * 7, words: name(sentence(random, 14)) });
  const pairs = [];
  const pair = (tag, color, a, b, resemblance) => {
    const rows = [];
    for (let i = 0; i < 5; ++i) {
      const same = sentence(random, 24);
      rows.push({ same: true, a: [{ mark: 'shared', text: name(same) }, { mark: 'cut', text: '40 shared words' }, { mark: 'shared', text: 'by the harbor wall' }], b: [{ mark: 'shared', text: name(same) }] });
      rows.push({ a: [{ mark: 'only', text: name(sentence(random, 5)) }, { text: ', ' }, { mark: 'label', text: 'moved 1' }, { mark: 'moved', text: name(sentence(random, 6)) }], b: [{ mark: 'only', text: name(sentence(random, 7)) }, { mark: 'label', text: 'moved 1' }, { mark: 'moved', text: 'a moved passage' }] });
    }
    pairs.push({ tag, color, a, b, facts: [{ name: 'resemblance', value: share(resemblance) }, { name: 'survivor in removed', value: share(0.9) }], rows, more: '3 more passages are not shown.' });
    return { text: 'side by side', section: 'pairs', number: pairs.length };
  };
  const list = Array.from({ length: clusters }, (_, c) => {
    const survivor = document('kept', c);
    const removed = Array.from({ length: members }, (_unused, m) => ({ document: document('removed', 100 * (c + 1) + m), facts: [{ name: m % 4 === 3 ? 'contained' : 'near', value: share(0.8 + 0.19 * random()) }] }));
    const link = pair('least alike of its cluster', 'near', survivor, removed[0].document, 0.8 + 0.1 * random());
    return {
      documents: [survivor],
      facts: [{ name: 'records', value: count(400 - 20 * c) }, { name: 'files', value: count(12) }, { name: 'lowest resemblance', value: share(0.80004) }, { name: 'contained', value: count(3) }],
      links: [link], members_name: `${members} removed records of ${399 - 20 * c}`, members: removed,
    };
  });
  const suspicious = Array.from({ length: 4 }, (_, i) => {
    const [later, earlier] = [document('odd', 9000 + i), document('kept', 8000 + i)];
    return { documents: [later, earlier], facts: [{ name: 'resemblance', value: share(0.81) }, { name: 'removed in survivor', value: share(0.97) }], links: [pair('suspicious', 'contained', earlier, later, 0.81)] };
  });
  return {
    format: 'twinset report 1', title: 'Near-duplicates', output: name('clean'), command: name('twinset dedup news/*.jsonl.zst -o clean --report clean.html'), started: '2026-11-27T20:00:00Z', version: '0.9.0', folder: '/data/',
    warnings: [name('2 inputs have no record.')],
    sections: [
      {
        name: 'totals', numbers: [{ name: 'Read', value: count(1234567), note: 'in 12 files' }, { name: 'Kept', value: { unit: 'percent', number: 900000, whole: 1234567 }, note: name('900,000 records') }, { name: 'Removed', value: count(334567) }, { name: 'Could not be read', value: count(12) }],
        parts: [{ name: name('kept'), count: 900000 }, { name: 'identical', color: 'identical', count: 200000 }, { name: 'lexical', color: 'lexical', count: 14567 }, { name: 'near', color: 'near', count: 100000 }, { name: 'contained', color: 'contained', count: 20000 }],
      },
      { name: 'files', title: 'Files', lead: name('Records of each input.'), tables: [{ columns: ['file', 'read', 'kept', 'removed'], rows: Array.from({ length: Math.min(marks, 12) }, (_, i) => [{ string: name(`news/2026-${i + 1}.jsonl.zst`) }, count(100000 + i), { unit: 'percent', number: 70000 - 3000 * i, whole: 100000 }, count(30000 + 3000 * i)]) }] },
      {
        name: 'histograms', title: 'Distributions',
        histograms: [
          { title: 'Clusters by size', across: 'records', up: 'clusters', series: ['clusters'], logarithmic: true, bars: Array.from({ length: Math.min(marks, 14) }, (_, i) => ({ label: i === 0 ? '2' : `${2 ** i + 1}+`, range: i === 0 ? '2' : `${2 ** i + 1} to ${2 ** (i + 1)}`, counts: [Math.floor(100000 / 3 ** i)] })) },
          { title: 'Removed records by resemblance', across: 'resemblance', up: 'records', series: ['near', 'contained'], bars: Array.from({ length: Math.min(marks, 21) }, (_, i) => ({ label: (0.8 + i / 100).toFixed(2), range: `from ${(0.8 + i / 100).toFixed(2)}`, counts: [Math.floor(3000 + 4000 * random()), Math.floor(1000 * random())] })) },
        ],
      },
      {
        name: 'frequencies', title: 'Plot', plots: [{ title: 'Chunks by the times they were seen', across: 'times seen', up: 'chunks', logarithmic: true, series: [{ name: name('not labeled'), threshold: 40, points: Array.from({ length: marks }, (_, i) => [i + 1, Math.ceil((200000 / (i + 1) ** 1.6) * (0.6 + random()))]) }, { name: 'labels', points: Array.from({ length: Math.min(marks, 60) }, (_, i) => [40 + 30 * i, Math.ceil(20 * random())]) }] }],
      },
      { name: 'largest', title: 'Largest clusters', lead: name('With their least similar records.'), list, tiles: Array.from({ length: Math.min(marks, 40) }, (_, i) => ({ name: name(`story about ${sentence(random, 3)}`), count: Math.ceil(4000 / (1 + i)), note: name('near 0.83'), ...(i < clusters ? { link: { text: 'cluster', section: 'largest', number: i + 1 } } : {}) })) },
      {
        name: 'shapes', title: 'Shapes', graphs: [{ name: { text: 'Cluster 1', section: 'largest', number: 1 }, note: name('12 of 20 documents.'), threshold: 0.8, nodes: Array.from({ length: Math.min(marks, 24) }, (_, i) => ({ document: { id: name(`node ${i}`), file: 'news.jsonl', record: i + 1 }, copies: i % 5 === 0 ? 6 : 1 })), edges: Array.from({ length: Math.min(marks, 60) }, (_, i) => ({ a: i % 24 % marks, b: (i * 7 + 1) % 24 % marks, resemblance: 0.7 + 0.3 * random() })) }],
      },
      { name: 'suspicious', title: 'Most suspicious', lead: 'Removed records that look least like a version of their survivor.', list: suspicious },
      { name: 'pairs', title: 'Side by side', side_a: 'survivor', side_b: 'removed', side_by_side: pairs },
      { name: 'run', title: 'The run', numbers: [{ name: 'scheme', value: { unit: 'code', string: name('minhash(hashes=128, bands=16)') } }, { name: 'time', value: { unit: 'seconds', real: 93.2 } }, { name: 'memory', value: { unit: 'bytes', number: 1234000000 } }, { name: 'threshold', value: share(0.8, 0.8), note: name('resemblance') }] },
    ],
  };
}

/** The facts of a run of detect: neighborhoods in sites, and who has what from whom. */
export function detectFacts({ sites = 5, text = undefined } = {}) {
  let named = 0;
  const name = (made) => (text === undefined ? made : text(named++));
  const left = (number) => Math.max(0, number);
  const places = Array.from({ length: sites }, (_, i) => [`mirror${i}.example/`, `mirror${i}.example/news/`]).flat();
  return {
    format: 'twinset report 1', title: 'Detected reuse', output: name('copies'), started: '2026-11-27T20:00:00Z', version: '0.9.0',
    sections: [
      { name: 'totals', numbers: [{ name: 'Pages', value: count(600) }] },
      { name: 'pages', title: 'Pages with the largest share of labels', list: places.map((prefix, i) => ({ documents: [{ id: name(`http://${prefix}${i}.html`), words: name('words of it') }], facts: [{ name: 'contains', value: share(0.4) }] })) },
      { name: 'neighborhoods', title: 'Worst neighborhoods', tables: [{ columns: ['neighborhood', '', 'badness', 'pages', 'with labels', 'chunks', 'labels'], rows: places.map((prefix, i) => [{ unit: 'text', string: name(prefix) }, { unit: 'text', string: i < 2 ? 'bad' : '' }, share(left(1 - i / 10)), count(left(60 - i)), count(left(50 - i)), count(1000), count(left(1000 - 100 * i))]) }] },
      { name: 'reuse', title: 'Who reuses whom', tables: [{ columns: ['site', 'known from', 'share', 'pages', 'matches'], rows: Array.from({ length: 3 * sites }, (_, i) => [{ unit: 'text', string: name(`mirror${i % sites}.example/`) }, { unit: 'text', string: name(`known${i % 4}.example/`) }, share(0.5), count(left(40 - i)), count(left(400 - i))]) }] },
    ],
  };
}

/** The facts of a page on which to judge: `line` begins a line of the judged file. */
export function judgeFacts({ pairs = 3, kind = 'pairs', text = undefined } = {}) {
  let named = 0;
  const name = (made) => (text === undefined ? made : text(named++));
  return {
    format: 'judge page 1', kind, source: name('groups'), judge: name('ann'), judge_json: '"ann"', file: 'groups.judged', fingerprint: '0123456789abcdef', header: '{"twinset": "judged", "sampled": 3}',
    categories: kind === 'labels' ? ['commercial', 'possibly-commercial', 'template', 'stop', 'other', 'unclear'] : ['same', 'different', 'unclear'],
    pairs: Array.from({ length: pairs }, (_, i) => ({
      line: `{"a": {"id": "a${i}"}, "b": {"id": "b${i}"}, "value": 0.9`, side_a: kind === 'labels' ? 'chunk' : 'A', side_b: kind === 'labels' ? 'places' : 'B',
      pair: { tag: `pair ${i + 1}`, a: { id: name(`a${i}`), file: 'in.jsonl', record: i + 1 }, b: { id: name(`b${i}`) }, rows: [
        { same: true, a: [{ mark: 'shared', text: name('both have this') }], b: [{ mark: 'shared', text: name('both have this') }] },
        { a: [{ mark: 'only', text: name('the first has this') }], b: [{ mark: 'only', text: name('the second has that') }] },
      ] },
    })),
  };
}
