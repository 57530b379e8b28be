// A server that answers as the service does, with a made run of any number of clusters and a made index.
//
//   const server = await serve({ clusters: 1_000_000 });
//   server.address                  // http://127.0.0.1:41234/
//   server.fail = (url) => url.pathname === '/clusters' && { status: 503, wait: 1, body: {...} };
//   server.asked                    // what was asked, in order: "GET /clusters?offset=0&limit=100"
//
// `text(i)` in place of made names and texts, for hostile ones.

import http from 'node:http';
import { shell } from './browser.mjs';
import { dedupFacts, randomOf, sentence } from './made.mjs';

const kinds = ['identical', 'lexical', 'near', 'contained'];
const files = Array.from({ length: 12 }, (_, i) => `news/2026-${String(i + 1).padStart(2, '0')}.jsonl.zst`);

export async function serve({ clusters = 1000, token = '', verb = 'dedup', index = true, readOnly = false, text = undefined, facts = dedupFacts({ text }) } = {}) {
  let named = 0;
  const name = (made) => (text === undefined ? made : text(named++));
  const sizes = new Uint32Array(clusters);
  const least = new Float32Array(clusters);
  const random = randomOf(7);
  for (let i = 0; i < clusters; ++i) {
    sizes[i] = 2 + Math.floor(0.9 / Math.max(1e-4, random() ** 1.4));
    least[i] = 0.8 + 0.2 * random();
  }
  const idOf = (cluster, member) => `doc-${cluster}-${member}`;
  const record = (cluster, member) => ({ id: name(idOf(cluster, member)), file: name(files[(cluster + member) % 12]), record: 1 + ((cluster * 31 + member) % 100000) });
  const row = (i) => ({
    cluster: i + 1, documents: sizes[i], first: record(i + 1, 0), words: name(sentence(randomOf(i), 12)), resemblance: Number(least[i].toFixed(6)),
    kinds: { [kinds[i % 4]]: sizes[i] - 1 }, sources: 1 + (i % 12),
  });
  const all = Array.from({ length: clusters }, (_, i) => i);
  const orders = { first: all };
  const orderOf = (sort) => {
    orders[sort] ??= sort === 'resemblance' ? [...all].sort((x, y) => least[x] - least[y] || x - y) : sort === 'sources' ? [...all].sort((x, y) => (y % 12) - (x % 12) || x - y) : [...all].sort((x, y) => sizes[y] - sizes[x] || x - y);
    return orders[sort];
  };
  const decided = new Map();
  const lists = [
    { name: 'removed', rows: 5000, columns: [{ name: 'id', unit: 'text', help: 'of the removed record' }, { name: 'file', unit: 'text', help: '' }, { name: 'record', unit: 'count', help: '' }, { name: 'kind', unit: 'text', help: '' }, { name: 'resemblance', unit: 'share', help: 'to its survivor' }] },
    { name: 'neighborhoods', rows: 60, columns: [{ name: 'prefix', unit: 'text', help: 'host and path' }, ...['pages', 'labeled_pages', 'chunks', 'labeled'].map((column) => ({ name: column, unit: 'count', help: '' })), { name: 'badness', unit: 'share', help: '' }, { name: 'bad', unit: 'text', help: '' }] },
    { name: 'reuse', rows: 40, columns: [{ name: 'site', unit: 'text', help: '' }, { name: 'known_from', unit: 'text', help: '' }, { name: 'share', unit: 'share', help: '' }, { name: 'pages', unit: 'count', help: '' }, { name: 'matches', unit: 'count', help: '' }] },
  ];
  const listRow = {
    removed: (i) => [name(`removed-${i}`), name(files[i % 12]), i + 1, kinds[i % 4], i % 50 === 0 ? null : 0.8 + (i % 200) / 1000],
    neighborhoods: (i) => [name(`host${i % 6}.example/${i < 6 ? '' : `path${i % 5}/`}${i < 36 ? '' : `${i}/`}`), 140 - i, 100 - i, 900, 90 * (i % 10), (i % 10) / 10, i % 10 > 6],
    reuse: (i) => [name(`host${i % 6}.example/`), name(i % 9 === 8 ? '' : `source${i % 17}.example/`), 1 / (1 + i), 80 - i, 400 - 10 * i],
  };
  const page = (i) => ({
    url: name(`https://site${i}.example/terms`), part: 1, born: i % 3 === 0, gone: i % 7 === 0, ...(i % 5 === 0 ? { moved_to: name(`https://site${i}.example/new`) } : {}), recrawl_days: 3.5,
    versions: Array.from({ length: 14 }, (_, k) => ({ date: `202${1 + Math.floor(k / 3)}-0${1 + (k % 9)}-1${k % 10}`, id: name(`v${i}-${k}`), hash: '0123456789abcdef', ...(k > 0 ? { resemblance: k % 4 === 0 ? 0.41 : 0.97 - k / 100, containment: 0.9, distance: k, kind: ['same', 'small', 'large', 'small'][k % 4] } : {}) })),
  });
  const hits = (asked) => ({
    compared: 17, skipped: 0, sure_tokens: 50,
    hits: asked.text?.includes('nothing') ? [] : [
      { id: name('doc-1'), url: name('https://site1.example/terms'), date: '2026-01-02', same: 'tokens', resemblance: { value: 1, low: 1, high: 1 }, containment: { value: 1, low: 1, high: 1 }, contains: { value: 1, low: 1, high: 1 }, exact: true, shared: 40, passages: [{ begin: 0, end: 20, tokens: 40 }], quoted: 40 },
      { id: 4711, same: 'no', resemblance: { value: 0.62, low: 0.5, high: 0.72 }, containment: { value: 0.7, low: 0.6, high: 0.8 }, contains: { value: 0.75, low: 0.6, high: 0.85 }, exact: false },
    ],
  });
  const pair = (a, b) => ({ ...facts.sections.find((section) => section.side_by_side).side_by_side[0], tag: '', a: { id: name(a) }, b: { id: name(b) } });

  function answer(url, asked) {
    const get = (key, other) => url.searchParams.get(key) ?? other;
    const range = () => [Number(get('offset', 0)), Number(get('limit', 50))];
    const [offset, limit] = range();
    const members = /^\/clusters\/(\d+)$/.exec(url.pathname);
    if (members) {
      const cluster = Number(members[1]);
      if (cluster < 1 || cluster > clusters) return { status: 404, body: { error: { code: 'not_found', message: `the run has no cluster ${cluster}` } } };
      const some = Array.from({ length: Math.max(0, Math.min(limit, sizes[cluster - 1] - offset)) }, (_, i) => offset + i);
      return {
        cluster, documents: sizes[cluster - 1], edges: some.slice(1).map((_, i) => [0, i + 1, i % 9 === 8 ? null : 0.8 + ((i * 7) % 20) / 100]),
        members: some.map((i) => ({
          ...record(cluster, i), kind: i === 0 ? null : kinds[i % 4], resemblance: i === 0 ? null : 0.8 + ((i * 7) % 20) / 100, containment: i === 0 ? null : 0.9, ...(i > 0 ? { survivor: record(cluster, 0) } : {}),
          words: i % 6 === 5 ? null : name(sentence(randomOf(cluster + i), 12)), ...(i % 6 === 5 ? { missing: name('the input has changed since') } : {}), fate: i === 0 ? 'kept' : 'removed', decision: null,
        })),
      };
    }
    switch (url.pathname) {
      case '/about': return {
        version: '0.9.0', index: index ? { index: 'crawl.index', documents: 1000 } : null, run: verb === '' ? null : { folder: name('clean'), verb, title: name('Near-duplicates'), decisions: verb === 'dedup' }, read_only: readOnly, needs_token: token !== '',
      };
      case '/overview': return facts;
      case '/tiles': return get('by', 'cluster') === 'source'
        ? { tiles: files.map((file, i) => ({ name: name(file), documents: 1000 - 50 * i, cluster: null })), rest: { clusters: 0, documents: 0 } }
        : { tiles: orderOf('documents').slice(0, Number(get('limit', 400))).map((i) => ({ name: name(idOf(i + 1, 0)), documents: sizes[i], cluster: i + 1 })), rest: { clusters: Math.max(0, clusters - 400), documents: 3 * clusters } };
      case '/clusters': {
        let chosen = orderOf(get('sort', 'documents'));
        const [search, low, high, kind] = [get('search', ''), Number(get('min_documents', 0)), Number(get('max_documents', Infinity)), get('kind', '')];
        const [from, till] = get('resemblance', ':').split(':').map((end, i) => (end === '' ? i : Number(end)));
        if (search !== '' || low > 0 || high < Infinity || kind !== '' || from > 0 || till < 1) {
          chosen = chosen.filter((i) => sizes[i] >= low && sizes[i] <= high && least[i] >= from && least[i] <= till && (kind === '' || kinds[i % 4] === kind) && (search === '' || idOf(i + 1, 0).includes(search)));
        }
        if (get('reverse') === 'true') chosen = [...chosen].reverse();
        return { total: chosen.length, documents: 4 * chosen.length, clusters: chosen.slice(offset, offset + limit).map(row) };
      }
      case '/pair': return pair(get('a', ''), get('b', ''));
      case '/record': return { id: name(get('name', '')), file: name(files[0]), record: 7, fate: 'removed', kind: 'near', survivor_id: name('doc-1'), resemblance: 0.84, text: name(sentence(randomOf(3), 200)), cut: true };
      case '/lists': return { lists };
      case '/versions': {
        if (url.searchParams.has('url')) return { total: 1, pages: [page(5)] };
        return { total: 300, pages: Array.from({ length: Math.max(0, Math.min(limit, 300 - offset)) }, (_, i) => page(offset + i)) };
      }
      case '/track': return page(5);
      case '/query': return hits(asked);
      case '/document': return { id: asked.id, text: asked.id === '4711' ? undefined : name(sentence(randomOf(4), 60)) };
      case '/compare': return pair('a', 'b');
      case '/decisions':
        if (asked !== undefined) {
          for (const each of asked.decisions) {
            decided.delete(each.record);
            if (each.decision !== 'none') decided.set(each.record, { ...each, time: '2026-11-27T20:00:00Z' });
          }
        }
        return { decisions: [...decided.values()] };
      default: {
        const list = /^\/lists\/(\w+)$/.exec(url.pathname)?.[1];
        const found = lists.find((each) => each.name === list);
        if (found) return { total: found.rows, rows: Array.from({ length: Math.max(0, Math.min(limit, found.rows - offset)) }, (_, i) => listRow[list](offset + i)) };
        return { status: 404, body: { error: { code: 'not_found', message: `there is no ${url.pathname}` } } };
      }
    }
  }

  const server = http.createServer(async (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    const send = (status, type, body, headers = {}) => response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', ...headers }).end(body);
    if (url.pathname === '/') {
      const html = shell(undefined);
      send(200, 'text/html; charset=utf-8', html, { 'content-security-policy': /content="(default-src[^"]*)"/.exec(html)[1] });
      return;
    }
    if (url.pathname === '/favicon.ico') {
      send(404, 'text/plain', '');
      return;
    }
    made.asked.push(`${request.method} ${request.url}`);
    const parts = [];
    for await (const part of request) parts.push(part);
    if (token !== '' && request.headers.authorization !== `Bearer ${token}`) {
      send(401, 'application/json', JSON.stringify({ error: { code: 'token', message: 'the token is missing or wrong' } }));
      return;
    }
    const asked = parts.length > 0 ? JSON.parse(Buffer.concat(parts).toString()) : undefined;
    if (asked !== undefined) made.bodies.push([url.pathname, asked]);
    const failure = made.fail?.(url, asked);
    const given = failure || answer(url, asked);
    if (given === 'break') {
      request.socket.destroy();
      return;
    }
    const status = given.status ?? 200;
    const body = typeof given.body === 'string' ? given.body : JSON.stringify(given.body ?? given);
    if (made.delay > 0) await new Promise((resolve) => setTimeout(resolve, made.delay));
    send(status, 'application/json', body, given.wait ? { 'retry-after': String(given.wait) } : {});
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const made = {
    address: `http://127.0.0.1:${server.address().port}/`, asked: [], bodies: [], fail: undefined, delay: 0, sizes,
    warm: () => ['documents', 'resemblance'].map(orderOf),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return made;
}
