// The page behind a service.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertQuiet, looks, screenshot, settled, start, until, violations } from './browser.mjs';
import { dedupFacts } from './made.mjs';
import { serve } from './server.mjs';

const views = {
  overview: '#/overview', map: '#/map', sources: '#/map?by=source', clusters: '#/clusters', cluster: '#/cluster/1', pair: '#/pair?a=doc-3-0&b=doc-3-1', lists: '#/lists', list: '#/list/removed', 
  record: '#/record?name=doc-3-1', versions: '#/versions?url=https%3A%2F%2Fsite5.example%2Fterms', paste: '#/paste', decisions: '#/decisions',
};

let browser;
let server;
before(async () => {
  browser = await start();
  server = await serve();
});
after(async () => {
  await browser?.stop();
  server?.stop();
});

// Few elements of each kind: axe-core takes its time for each.
test('every view is accessible and fits: light, dark, narrow', async () => {
  const small = await serve({ clusters: 8, facts: dedupFacts({ clusters: 3, members: 2, marks: 4 }) });
  const tab = await browser.openLive(small.address);
  for (const [look, change] of Object.entries(looks)) {
    await change(tab);
    for (const [name, place] of Object.entries(views)) {
      await browser.go(tab, place);
      if (name === 'paste') {
        await tab.getByLabel('Text').fill('a text that may be known');
        await tab.getByRole('button', { name: 'Find' }).click();
        await tab.getByRole('button', { name: 'Side by side' }).first().click();
        await tab.waitForSelector('.sides .row.diff');
      }
      assert.deepEqual(await violations(tab, look), [], `${name}, ${look}`);
      assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0, `${name} needs no scrolling sideways`);
      await screenshot(tab, `live-${name}-${look}`);
    }
  }
  assertQuiet(tab, small.address);
  small.stop();
});

test('neighborhoods of reuse, from the sites down', async () => {
  const detected = await serve({ verb: 'detect', index: false, clusters: 1 });
  const tab = await browser.openLive(detected.address, '#/neighborhoods');
  for (const [look, change] of Object.entries(looks)) {
    await change(tab);
    for (const [name, place] of Object.entries({ all: '#/neighborhoods', one: '#/neighborhoods?at=host1.example%2F', none: '#/neighborhoods?at=nowhere.example%2F' })) {
      await browser.go(tab, place);
      assert.deepEqual(await violations(tab, look), [], `${name}, ${look}`);
      assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0, `${name} needs no scrolling sideways`);
      await screenshot(tab, `live-neighborhoods-${name}-${look}`);
    }
  }
  await browser.go(tab, '#/neighborhoods');
  assert.equal(await tab.locator('.tile').count(), 6, 'sites alone, not what is below them');
  await tab.locator('.tile[tabindex="0"]').focus();
  await tab.keyboard.press('Enter');
  await settled(tab);
  assert.equal(await tab.textContent('h1'), 'host0.example/');
  assert.match(await tab.textContent('.fact-line'), /badness 0\.000.*100 of 140 pages hold labels/);
  const prefixes = await tab.locator('[aria-label="Neighborhoods"] td.name a').allTextContents();
  assert.ok(prefixes.length > 0 && prefixes.every((prefix) => /^host0\.example\/path\d\/$/.test(prefix)), prefixes.join());
  assert.ok((await tab.locator('[aria-label="What it shows of others"] tbody td:first-child').allTextContents()).every((site) => site === 'host0.example/'));
  assert.ok(detected.asked.some((asked) => /^GET \/lists\/reuse\?.*search=host0.example/.test(asked)), 'its site is asked for');
  assertQuiet(tab, detected.address);
  detected.stop();
});

test('filters are in the address and in what is asked', async () => {
  const tab = await browser.openLive(server.address, '#/clusters');
  await settled(tab);
  await tab.getByText('Filters').click();
  await tab.getByLabel('Documents, at least').fill('20');
  await tab.getByLabel('Least resemblance to').fill('0.9');
  await tab.getByLabel('Kind').selectOption('near');
  await until(() => server.asked.some((asked) => /^GET \/clusters\?/.test(asked) && /min_documents=20/.test(asked) && /resemblance=%3A0.9/.test(asked) && /kind=near/.test(asked)), 'all filters are asked for');
  await settled(tab);
  const shown = await tab.locator('.v-row .c-2').allTextContents();
  assert.ok(shown.length > 0 && shown.every((documents) => Number(documents.replace(/,/g, '')) >= 20), shown.join());
  await tab.reload();
  await settled(tab);
  assert.equal(await tab.getByLabel('Documents, at least').inputValue(), '20');
  await tab.getByRole('button', { name: 'Clear filters' }).click();
  await until(async () => /^1,000 clusters/.test(await tab.textContent('.counted')), 'all clusters are there again');
  assertQuiet(tab, server.address);
});

test('decisions are posted, undone, and told if they were refused', async () => {
  const tab = await browser.openLive(server.address, '#/cluster/2');
  await settled(tab);
  const keep = tab.locator('.members li').nth(1).getByRole('button', { name: 'Keep' });
  await keep.click();
  await until(() => server.bodies.some(([path, body]) => path === '/decisions' && body.decisions[0].decision === 'restore'), 'it is posted');
  const { record } = server.bodies.find(([path]) => path === '/decisions')[1].decisions[0];
  assert.match(record, /^news\/2026-\d\d\.jsonl\.zst:\d+$/);
  await tab.reload();
  await settled(tab);
  assert.equal(await keep.getAttribute('aria-pressed'), 'true');
  await keep.click();
  await until(() => server.bodies.some(([path, body]) => path === '/decisions' && body.decisions[0].decision === 'none'), 'it is taken back');
  server.fail = (url, asked) => url.pathname === '/decisions' && asked && { status: 507, body: { error: { code: 'disk_full', message: 'the disk of the decisions is full' } } };
  await keep.click();
  await until(async () => /was not kept: the disk of the decisions is full/.test(await tab.textContent('.refused')), 'the refusal is told');
  assert.equal(await keep.getAttribute('aria-pressed'), 'false');
  server.fail = undefined;
  await keep.click();
  await tab.getByRole('button', { name: 'Undo' }).click();
  assert.equal(await keep.getAttribute('aria-pressed'), 'false');
  assertQuiet(tab, server.address);
});

test('a service that fails is told in words, and asked again', async () => {
  const failures = [
    [{ status: 503, wait: 2, body: { error: { code: 'busy', message: 'the service is busy' } } }, /the service is busy Try again in 2 seconds\./],
    [{ status: 500, body: 'no JSON at all' }, /not JSON \(500\)/],
    [{ status: 200, body: '[' }, /not JSON \(200\)/],
    ['break', /cannot be reached/],
    [{ status: 400, body: { error: null } }, /refused \(400\)/],
  ];
  const tab = await browser.openLive(server.address, '#/overview');
  for (const [failure, words] of failures) {
    server.fail = (url) => url.pathname === '/clusters/4' && failure;
    await browser.go(tab, '#/overview');
    await tab.evaluate(() => {
      location.hash = '#/cluster/4';
    });
    await until(async () => words.test(await tab.textContent('.failure')), `${words}`);
    server.fail = undefined;
    await tab.getByRole('button', { name: 'Try again' }).click();
    await tab.waitForSelector('.members li');
  }
  await tab.evaluate(() => {
    location.hash = '#/cluster/999999';
  });
  await until(async () => /the run has no cluster 999999/.test(await tab.textContent('.failure')), 'the words of the service are shown');
  // In the middle of a long list.
  server.fail = (url) => url.pathname === '/clusters' && Number(url.searchParams.get('offset')) > 0 && { status: 500, body: { error: { code: 'io', message: 'the disk is broken' } } };
  await browser.go(tab, '#/clusters');
  await tab.getByRole('grid').focus();
  await tab.keyboard.press('End');
  await until(async () => /the disk is broken/.test(await tab.textContent('.failure')), 'it is told');
  server.fail = undefined;
  await tab.getByRole('button', { name: 'Try again' }).click();
  await settled(tab);
  assert.equal(await tab.locator('.v-row.active .c-0').textContent(), await tab.locator('.v-row').last().locator('.c-0').textContent());
  assertQuiet(tab, server.address);
});

test('a service that is opening is waited for', async () => {
  const late = await serve({ clusters: 10 });
  late.fail = (url) => url.pathname === '/about' && { status: 503, wait: 1, body: { error: { code: 'not_ready', message: 'the folders are being opened' } } };
  const tab = await browser.tabIn();
  await tab.goto(late.address);
  await until(async () => /being opened/.test(await tab.textContent('#page')), 'it is told');
  late.fail = undefined;
  await tab.waitForSelector('h1');
  late.stop();
});

test('a token is asked for once', async () => {
  const closed = await serve({ clusters: 10, token: 'open sesame/1' });
  const tab = await browser.tabIn();
  await tab.goto(closed.address);
  await tab.waitForSelector('.token');
  assert.deepEqual(await violations(tab), []);
  await screenshot(tab, 'live-token-light');
  await tab.getByLabel('Token').fill('wrong');
  await tab.keyboard.press('Enter');
  await until(async () => /That is not the token/.test(await tab.textContent('.token')), 'a wrong one is told');
  await tab.getByLabel('Token').fill('open sesame/1');
  await tab.keyboard.press('Enter');
  await tab.waitForSelector('.sections');
  await tab.reload();
  await tab.waitForSelector('.sections');
  const other = await browser.tabIn();
  await other.goto(`${closed.address}#token=${encodeURIComponent('open sesame/1')}`);
  await other.waitForSelector('.sections');
  assert.equal(await other.evaluate(() => location.hash), '#/');
  assert.ok(!(await other.evaluate(() => history.state?.token)));
  closed.stop();
});

test('an index alone, a run alone, and nothing to decide', async () => {
  const alone = await serve({ verb: '', clusters: 1 });
  let tab = await browser.openLive(alone.address);
  assert.deepEqual(await tab.locator('.top nav a').allTextContents(), ['Versions', 'Paste a text']);
  await settled(tab);
  alone.stop();
  const tracked = await serve({ verb: 'track', index: false, clusters: 1 });
  tab = await browser.openLive(tracked.address, '#/versions');
  await settled(tab);
  assert.match(await tab.textContent('.counted'), /^300 pages/);
  await screenshot(tab, 'live-pages-light');
  assert.equal(await tab.getByRole('link', { name: 'Decisions' }).count(), 0);
  tracked.stop();
  const reading = await serve({ readOnly: true, clusters: 20 });
  tab = await browser.openLive(reading.address, '#/cluster/1');
  await settled(tab);
  assert.equal(await tab.getByRole('button', { name: 'Keep' }).count(), 0);
  reading.stop();
});
