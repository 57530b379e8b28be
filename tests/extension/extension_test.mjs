// The extension in a browser.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { loginPage, start, until } from './browser.mjs';

let browser;
before(async () => {
  browser = await start();
});
after(() => browser?.stop());
afterEach(() => browser.reset());

async function rememberBank() {
  browser.serve('www.bank.example/login', loginPage());
  const tab = await browser.open('www.bank.example/login');
  const { done, text } = await browser.remember(tab);
  assert.ok(done, text);
  return tab;
}

// a page is remembered, and a copy of it on another site is blocked.
test('a copy of a remembered page is blocked', async () => {
  await rememberBank();
  browser.serve('evil.example/bank', loginPage());
  const tab = await browser.open('evil.example/bank');
  await browser.blocked(tab);
  assert.match(await tab.textContent('h1'), /This is not bank\.example/);
  assert.match(await tab.textContent('#sure'), /Very sure: 5 parts of 5 are the same/);
  assert.equal(await tab.locator('.sides section:nth-child(1) li.same').count(), 5);
  assert.equal(await tab.locator('.sides section:nth-child(2) li.same').count(), 5);
});

test('a site is its registered domain', async () => {
  await rememberBank();
  for (const host of ['bank.example', 'login.eu.bank.example', 'www.bank.example']) {
    browser.serve(`${host}/other`, loginPage());
    const tab = await browser.open(`${host}/other`);
    await browser.checked(tab);
    assert.ok(!tab.url().includes('blocked'), host);
  }
  for (const host of ['bank.example.evil.test', 'bank-example.test', '127.0.0.1', 'localhost', 'bank.co.uk', 'harbour.github.io']) {
    browser.serve(`${host}/`, loginPage());
    await browser.blocked(await browser.open(`${host}/`));
  }
});

test('go back leads to the page before, and is the default', async () => {
  await rememberBank();
  browser.serve('news.example/', '<p>Some news of today, which are of no interest to anybody.</p>');
  browser.serve('evil.example/bank', loginPage());
  const tab = await browser.open('news.example/');
  await browser.checked(tab);
  await tab.goto(browser.at('evil.example/bank'));
  await browser.blocked(tab);
  assert.equal(await tab.evaluate(() => document.activeElement.id), 'back');
  await tab.keyboard.press('Enter');
  await tab.waitForURL(/news\.example/);
});

test('a page that fills the history does not stop the way back', async () => {
  await rememberBank();
  browser.serve('evil.example/bank', loginPage({ head: '<script>for (let i = 0; i < 40; i++) history.pushState(i, "", "/bank");</script>' }));
  const tab = await browser.open('evil.example/bank');
  await browser.blocked(tab);
  await tab.click('#back');
  await tab.waitForURL('about:blank');
});

test('"I know this site" is remembered, and undone in the options', async () => {
  await rememberBank();
  browser.serve('partner.example/', loginPage());
  let tab = await browser.open('partner.example/');
  await browser.blocked(tab);
  await tab.click('#on');
  await tab.waitForURL(/partner\.example/);
  await browser.checked(tab);
  await tab.reload();
  await browser.checked(tab, 2);
  assert.match(tab.url(), /partner\.example/);
  await browser.ours.reload();
  await browser.ours.click('#allowed button');
  await until(async () => /is checked again/.test(await browser.ours.textContent('#said')), 'it is undone');
  tab = await browser.open('partner.example/');
  await browser.blocked(tab);
});

test('what is forgotten is not compared', async () => {
  await rememberBank();
  await browser.ours.reload();
  await browser.ours.click('#known button');
  await until(async () => /is forgotten/.test(await browser.ours.textContent('#said')), 'it is forgotten');
  browser.serve('evil.example/', loginPage());
  const tab = await browser.open('evil.example/');
  await new Promise((resolve) => setTimeout(resolve, 1500));
  assert.match(tab.url(), /evil\.example/);
});

test('white space: ignored, or compared', async () => {
  await rememberBank();
  browser.serve('evil.example/', loginPage({ spaces: '\n  ' }));
  let tab = await browser.open('evil.example/');
  await browser.blocked(tab);
  await browser.ours.check('input[value=keep]');
  await until(async () => (await browser.ours.textContent('#said')) === 'Kept.', 'the setting is kept');
  tab = await browser.open('evil.example/');
  await browser.checked(tab);
  assert.match(tab.url(), /evil\.example/);
  browser.serve('evil.example/exact', loginPage());
  tab = await browser.open('evil.example/exact');
  await browser.blocked(tab);
});

test('one part is enough, or a share', async () => {
  await rememberBank();
  const one = '<div>A page about banks quotes one:</div><p>Please log in with your customer number and the password that you chose.</p>';
  browser.serve('blog.example/', one);
  let tab = await browser.open('blog.example/');
  await browser.blocked(tab);
  assert.match(await tab.textContent('#sure'), /Not very sure: one part of 5 is the same/);
  await browser.ours.fill('#share', '40');
  await browser.ours.check('input[value=share]');
  await until(async () => (await browser.ours.textContent('#said')) === 'Kept.', 'the setting is kept');
  tab = await browser.open('blog.example/');
  await browser.checked(tab);
  assert.match(tab.url(), /blog\.example/);
  browser.serve('evil.example/', loginPage());
  tab = await browser.open('evil.example/');
  await browser.blocked(tab);
});

test('a form in a frame is found, and remembered with its page', async () => {
  browser.serve('www.bank.example/', '<title>Bank</title><p>Too short</p><iframe src="/form"></iframe>');
  browser.serve('www.bank.example/form', loginPage());
  let tab = await browser.open('www.bank.example/');
  const { text } = await browser.remember(tab);
  assert.match(text, /5 parts/);
  browser.serve('evil.example/', '<p>Nothing to see in this page itself</p><iframe src="/form"></iframe>');
  browser.serve('evil.example/form', loginPage());
  tab = await browser.open('evil.example/');
  await browser.blocked(tab);
  // Made by scripts, sandboxed, without an address of its own.
  const quoted = loginPage().replace(/&/g, '&amp;').replace(/"/g, '&quot;');
  for (const kind of ['', 'sandbox=""', 'sandbox="allow-scripts"']) {
    browser.serve('evil.example/srcdoc', `<p>Nothing to see</p><iframe ${kind} srcdoc="${quoted}"></iframe>`);
    await browser.blocked(await browser.open('evil.example/srcdoc'));
    browser.serve('my.bank.example/srcdoc', `<p>Nothing to see</p><iframe ${kind} srcdoc="${quoted}"></iframe>`);
    const own = await browser.open('my.bank.example/srcdoc');
    await browser.checked(own, 2);
    assert.match(own.url(), /bank\.example/);
  }
  browser.serve('evil.example/blob', `<p>Nothing to see</p><iframe id=f></iframe><script>
    f.src = URL.createObjectURL(new Blob([${JSON.stringify(loginPage())}], {type: 'text/html'}))</script>`);
  await browser.blocked(await browser.open('evil.example/blob'));
  // The true page in a frame is the true page.
  browser.serve('shop.example/', `<p>Nothing to see</p><iframe src="${browser.at('www.bank.example/form')}"></iframe>`);
  tab = await browser.open('shop.example/');
  await browser.checked(tab, 2);
  assert.match(tab.url(), /shop\.example/);
});

test('shadow trees are read, open and closed', async () => {
  await rememberBank();
  const inner = JSON.stringify(loginPage().match(/<body>(.*)<\/body>/s)[1]);
  for (const mode of ['open', 'closed']) {
    browser.serve(`evil.example/${mode}`, `<bank-form></bank-form><script>
      document.querySelector('bank-form').attachShadow({mode: '${mode}'}).innerHTML = ${inner}</script>`);
    await browser.blocked(await browser.open(`evil.example/${mode}`));
  }
  // Made later, in an element that is there already: no change of the document tells of it.
  browser.serve('evil.example/late', `<div id=host>...</div><input id=name><script>
    setTimeout(() => document.querySelector('#host').attachShadow({mode: 'closed'}).innerHTML = ${inner}, 2000)</script>`);
  const tab = await browser.open('evil.example/late');
  await tab.waitForTimeout(2500);
  await tab.focus('#name').catch(() => undefined);
  await browser.blocked(tab);
  // A part whose words come from outside by a slot.
  browser.serve('evil.example/slot', `<x-part>Please log in with your customer number and the password that you chose.</x-part><script>
    document.querySelector('x-part').attachShadow({mode: 'open'}).innerHTML = '<p><slot></slot></p>'</script>`);
  await browser.blocked(await browser.open('evil.example/slot'));
});

test('pages that scripts make, late or without loading', async () => {
  await rememberBank();
  const body = JSON.stringify(loginPage().match(/<body>(.*)<\/body>/s)[1]);
  browser.serve('evil.example/late', `<p>Loading</p><script>setTimeout(() => document.body.innerHTML = ${body}, 1500)</script>`);
  await browser.blocked(await browser.open('evil.example/late'));
  browser.serve('evil.example/app', `<p>A shop with nothing to buy</p><a href="#" onclick='history.pushState(0, "", "/login"); document.body.innerHTML = ${body.replace(/'/g, '&#39;')}; return false'>go</a>`);
  let tab = await browser.open('evil.example/app');
  await browser.checked(tab);
  await tab.click('a');
  await browser.blocked(tab);
  browser.serve('evil.example/written', `<p>Loading</p><script>setTimeout(() => { document.open(); document.write(${body}); document.close(); }, 1200)</script>`);
  await browser.blocked(await browser.open('evil.example/written'));
  browser.serve('evil.example/text', `<p id=p>...</p><script>
    setTimeout(() => p.firstChild.data = 'Please log in with your customer number and the password that you chose.', 1200)</script>`);
  await browser.blocked(await browser.open('evil.example/text'));
});

test('on first use of a password it asks once', async () => {
  browser.serve('www.bank.example/login', loginPage());
  const tab = await browser.open('www.bank.example/login');
  const id = await browser.idOf(tab);
  await tab.type('input[type=password]', 'secret');
  const state = await until(async () => {
    const now = await browser.say({ kind: 'state', tab: id });
    return now.offered && now;
  }, 'it is offered');
  assert.equal(state.offered, 'bank.example');
  assert.equal(await browser.ours.evaluate((tabId) => chrome.action.getBadgeText({ tabId }), id), '?');
  // The question opens when the field is left, not while somebody writes.
  const open = () => browser.worker().evaluate(async () => (await chrome.runtime.getContexts({ contextTypes: ['POPUP'] })).length);
  assert.equal(await open(), 0);
  await tab.keyboard.press('Tab');
  await until(async () => (await open()) === 1, 'the popup opens');
  const popup = await browser.context.newPage();
  await popup.goto(browser.page(`popup.html?tab=${id}`));
  assert.match(await popup.textContent('#question'), /bank\.example for the first time/);
  assert.ok(await popup.isDisabled('#yes'), 'a click that was lured here does nothing');
  await popup.click('#yes');
  await until(async () => /Remembered: 5 parts/.test(await popup.textContent('#said')), 'it is remembered');
  browser.serve('evil.example/', loginPage());
  await browser.blocked(await browser.open('evil.example/'));
  // Not on the same site again, and not where the answer was no.
  browser.serve('shop.example/', '<p>The shop of the lighthouse sells candles and lamps of all sizes.</p><input type=password>');
  const shop = await browser.open('shop.example/');
  const shopId = await browser.idOf(shop);
  await shop.type('input[type=password]', 'x');
  await until(async () => (await browser.say({ kind: 'state', tab: shopId })).offered, 'it is offered');
  await browser.say({ kind: 'answer first use', tab: shopId, remember: false });
  await shop.reload();
  await browser.checked(shop);
  await shop.type('input[type=password]', 'x');
  await shop.waitForTimeout(1000);
  assert.equal((await browser.say({ kind: 'state', tab: shopId })).offered, undefined);
});

test('a script that types no password is not asked about', async () => {
  browser.serve('www.bank.example/login', loginPage({ extra: `<script>
    const field = document.querySelector('input[type=password]');
    field.value = 'x'; field.dispatchEvent(new Event('input', {bubbles: true})); field.dispatchEvent(new Event('change', {bubbles: true}))</script>` }));
  const tab = await browser.open('www.bank.example/login');
  await tab.waitForTimeout(1000);
  assert.equal((await browser.state(tab)).offered, undefined);
});

test('a worker that was stopped goes on where it was', async () => {
  await rememberBank();
  const session = await browser.context.newCDPSession(browser.ours);
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  browser.serve('evil.example/', loginPage());
  await browser.blocked(await browser.open('evil.example/'));
});

test('a page that is left is not blocked in the place of the next', async () => {
  await rememberBank();
  browser.serve('evil.example/', loginPage({ head: '<script>addEventListener("DOMContentLoaded", () => setTimeout(() => location.href = "/next", 30))</script>' }));
  browser.serve('evil.example/next', '<p>A page with nothing of the bank.</p>');
  for (let i = 0; i < 3; i++) {
    const tab = await browser.open('evil.example/');
    await until(() => /blocked|next/.test(tab.url()), 'it is there', 5000);
    if (!tab.url().includes('blocked')) await browser.checked(tab);
    // The page of the extension fills itself after it has loaded, and the way to the next may still overtake it.
    await until(async () => {
      const shown = await tab.textContent('body');
      return !tab.url().includes('blocked') ? /nothing of the bank/.test(shown) : /This is not bank\.example/.test(shown);
    }, 'the page that it is at is shown', 5000);
    await tab.close();
  }
});

/** Changes the set of hashes of each mode that is remembered of the bank. */
async function spoil(how) {
  await browser.ours.evaluate(async (how) => {
    const open = indexedDB.open('twinset', 1);
    const base = await new Promise((resolve) => (open.onsuccess = () => resolve(open.result)));
    const store = base.transaction('known', 'readwrite').objectStore('known');
    const [entry] = await new Promise((resolve) => (store.getAll().onsuccess = (event) => resolve(event.target.result)));
    for (const labels of entry.labels) {
      if (how === 'rules') labels.rules = labels.rules.replace('text', 'text=999');
      else labels.bytes[labels.bytes.length - 1] ^= 1;
    }
    await new Promise((resolve) => (store.put(entry).onsuccess = resolve));
    base.close();
    await chrome.runtime.sendMessage({ kind: 'changed' });
  }, how);
}

test('what another version remembered is told, and no password page passes', async () => {
  await rememberBank();
  await spoil('rules');
  browser.serve('evil.example/', loginPage());
  const tab = await browser.open('evil.example/');
  await browser.blocked(tab);
  assert.match(await tab.textContent('main'), /a remembered page is damaged, or of another version/);
  await browser.ours.reload();
  await until(async () => /made by another version/.test(await browser.ours.textContent('#known')), 'the options say so');
});

test('a damaged set of hashes is told, and no password page passes', async () => {
  await rememberBank();
  await spoil('bytes');
  browser.serve('shop.example/', '<p>A shop that asks for no password.</p>');
  const shop = await browser.open('shop.example/');
  const id = await browser.idOf(shop);
  await until(async () => (await browser.say({ kind: 'state', tab: id })).gaveUp === 'damaged', 'it is told');
  browser.serve('evil.example/', loginPage());
  const tab = await browser.open('evil.example/');
  await browser.blocked(tab);
  assert.match(await tab.textContent('main'), /a remembered page is damaged/);
  await browser.ours.reload();
  await until(async () => /Damaged: not compared/.test(await browser.ours.textContent('#known')), 'the options say so');
});
