// What someone who knows the extension would do next: each is tried, and docs/extension.md says of each what happens.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import { loginPage, start, until } from './browser.mjs';

let browser;
before(async () => {
  browser = await start();
});
after(() => browser?.stop());

const original = loginPage();
const body = original.match(/<body>(.*)<\/body>/s)[1];
const words = (change) => original.replace(/<p>(.*?)<\/p>/g, (_, text) => `<p>${change(text)}</p>`);
const lookAlike = { a: '\u0430', e: '\u0435', o: '\u043e', c: '\u0441', p: '\u0440' };
const padding = '<div style="display: none"></div><script>document.querySelector("div").append("word ".repeat(8e6))</script>';

/** Name in docs/extension.md -> the page. */
const ATTACKS = {
  'other attributes, another title': original.replace(/<(p|div)/g, '<$1 class="x" id="y"').replace(/<title>.*?<\/title>/, '<title>Hi</title>'),
  'other lines and indents': loginPage({ spaces: '\n\t ' }),
  'tags within words': words((text) => text.replace(/(\w)(\w)/g, '$1<b></b>$2')),
  'one part among other text': `<div>News of the day, and of the night before<p>${original.match(/<p>(We never.*?)<\/p>/)[1]}</p>Weather: rain</div>`,
  'letters as references': words((text) => text.replace(/[aeiou]/g, (c) => `&#${c.charCodeAt(0)};`)),
  'written by a script, later': `<p>Wait</p><script>setTimeout(() => document.body.innerHTML = ${JSON.stringify(body)}, 900)</script>`,
  'a sandboxed frame': `<iframe sandbox srcdoc="${body.replace(/&/g, '&amp;').replace(/"/g, '&quot;')}"></iframe>`,
  'a closed shadow tree': `<div></div><script>document.querySelector('div').attachShadow({mode: 'closed'}).innerHTML = ${JSON.stringify(body)}</script>`,
  'padding, before a password field': padding + body,
  'padding, before a field that only looks like one': padding + body.replace('type="password"', 'style="-webkit-text-security: disc"'),
  'hidden words in each part': words((text) => text.replace(/ (\w)/, ' <i style="display: none">no</i> $1')),
  'invisible letters': words((text) => text.replace(/(\w)(\w)/g, '$1\u00ad$2')),
  'look-alike letters': words((text) => text.replace(/[aeocp]/g, (c) => lookAlike[c])),
  'a word changed in each part': words((text) => text.replace(/\b(the|to|your|up)\b/, 'this').replace(/^\w+/, 'Hello')),
  'a division within each sentence': words((text) => text.replace(/^(.{20})/, '$1<div style="display: contents"></div>').replace(/(.{24})(?=.{24})/g, '$1<div style="display: contents"></div>')),
  'no paragraphs, no divisions': original.replace(/<(\/?)(p|div)\b/g, '<$1section'),
  'text of a style sheet': `<style>${[...original.matchAll(/<p>(.*?)<\/p>/g)].map(([, text], i) => `#s${i}::before { content: "${text}" }`).join('')}</style>
    <p id=s0></p><p id=s1></p><p id=s2></p><p id=s3></p><p id=s4></p>`,
  'text in fields': words(() => '').replace('</div>', [...original.matchAll(/<p>(.*?)<\/p>/g)].map(([, text]) => `<input readonly value="${text}">`).join('<br>') + '</div>'),
  'a picture of the page': `<canvas width=800 height=400></canvas><input type=password><script>
    const c = document.querySelector('canvas').getContext('2d'); ${JSON.stringify([...original.matchAll(/<p>(.*?)<\/p>/g)].map(([, text]) => text))}.forEach((t, i) => c.fillText(t, 10, 20 + 20 * i))</script>`,
};

const documented = new Map([...fs.readFileSync(new URL('../../docs/extension.md', import.meta.url), 'utf8')
  .matchAll(/^\| ([^|]+) \| (blocked|not seen|marked)[^|]* \|/gm)].map(([, name, what]) => [name, what]));

/** What has happened to a tab after some seconds. One whose first reading came before its password field was there is read
 * again after a rest, which is long if that reading was. */
async function outcome(tab, id) {
  await until(() => tab.url().includes('blocked.html'), 'it is blocked', 15000).catch(() => undefined);
  if (tab.url().includes('blocked.html')) return 'blocked';
  return (await browser.say({ kind: 'state', tab: id })).gaveUp ? 'marked' : 'not seen';
}

test('what someone who knows it would do next', async () => {
  browser.serve('www.bank.example/login', original);
  const bank = await browser.open('www.bank.example/login');
  assert.ok((await browser.remember(bank)).done);
  const tabs = [];
  for (const [i, page] of Object.values(ATTACKS).entries()) {
    browser.serve(`evil${i}.example/`, page);
    const tab = await browser.open(`evil${i}.example/`);
    tabs.push([tab, await browser.idOf(tab)]);
  }
  const outcomes = await Promise.all(tabs.map(([tab, id]) => outcome(tab, id)));
  const found = Object.fromEntries(Object.keys(ATTACKS).map((name, i) => [name, outcomes[i]]));
  assert.deepEqual(found, Object.fromEntries(Object.keys(ATTACKS).map((name) => [name, documented.get(name)])));
});
