// The HTML that is compared is what the browser itself would write.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { loginPage, start } from './browser.mjs';
import { sourceForPage } from './source.mjs';

let browser;
let script;
before(async () => {
  browser = await start();
  script = await sourceForPage('serialize', 'written');
});
after(() => browser?.stop());

/** outerHTML and ours of a page; the script is not in it. */
async function both(html, change = '') {
  browser.serve('a.example/', html);
  const tab = await browser.open('a.example/');
  const found = await tab.evaluate(`(() => { ${script}; ${change};
    const seen = { nodes: 0, resumed: false, lost: 0, passwords: 0, shadows: [] };
    return { theirs: document.documentElement.outerHTML, ours: [...written.serialize(document.documentElement.parentNode, seen)].join(''), seen: { ...seen, shadows: seen.shadows.length } };
  })()`);
  await tab.close();
  return found;
}
const withoutDoctype = (html) => html.replace(/^<!DOCTYPE \w+>/, '');

const odd = `<!doctype html><html lang='a"b&amp;c&nbsp;d&lt;'><head><style>p > b { }</style><script>if (1 < 2 && 3 > 2) { }</script></head><body>
<p title="<b>">&lt;b&gt; &amp;amp; &nbsp; \u00e9 \ud83d\ude00<br><img alt=x><wbr><!-- a > b --><pre>\n\nx</pre><textarea>\n<b></textarea>
<template><p>in <b>it</b></p></template><svg viewBox="0 0 1 1"><path xlink:href="#a"/><title>t</title></svg><math><mi>x</mi></math>
<iframe srcdoc="&lt;p&gt;"></iframe><noscript><p>no</p></noscript><xmp><p></xmp><table><tr><td>1<select><option>2</select></table><x-y>z</x-y>
<input type=PASSWORD><input type="password"><input></body></html>`;

test('it is outerHTML', async () => {
  for (const html of [odd, loginPage(), '', '<p>', `<p>${'word '.repeat(60000)}</p>`, `<p>${'\ud83d\ude00'.repeat(50000)}`]) {
    const { theirs, ours } = await both(html);
    assert.equal(withoutDoctype(ours), theirs);
  }
  const { seen } = await both(odd);
  assert.equal(seen.passwords, 2);
});

test('it is outerHTML of the pages of a manual', { skip: process.env.TWINSET_DATA === undefined && 'TWINSET_DATA is unset' }, async (context) => {
  const file = path.join(process.env.TWINSET_DATA, 'llvm-docs-html/pages.jsonl.zst');
  if (!fs.existsSync(file)) return context.skip('it has no manual');
  const pages = execFileSync('zstd', ['-dcq', file], { maxBuffer: 1 << 30, encoding: 'utf8' }).trim().split('\n');
  for (let i = 0; i < pages.length; i += Math.ceil(pages.length / 15)) {
    const { id, html } = JSON.parse(pages[i]);
    const { theirs, ours } = await both(html.replace(/<(script|link|img)\b[^>]*(src|href)=[^>]*>/g, ''));
    assert.equal(withoutDoctype(ours), theirs, id);
  }
  return undefined;
});

test('shadow trees stand where they are shown', async () => {
  const { ours, seen } = await both('<div id=a>light <b slot=s>bold</b></div>', `
    const root = document.querySelector('#a').attachShadow({ mode: 'open' });
    root.innerHTML = '<i>before</i><slot name="s">none</slot><slot></slot><slot name="other">empty</slot>';`);
  assert.match(ours, /<div id="a"><i>before<\/i><slot name="s"><b slot="s">bold<\/b><\/slot><slot>light <\/slot><slot name="other">empty<\/slot><\/div>/);
  assert.equal(seen.shadows, 1);
});

test('a place that is lost is told', async () => {
  browser.serve('a.example/', '<div id=a><p>1</p><p>2</p></div>');
  const tab = await browser.open('a.example/');
  const lost = await tab.evaluate(`(() => { ${script};
    const read = (change) => {
      const seen = { nodes: 0, resumed: false, lost: 0, passwords: 0, shadows: [] };
      document.querySelector('#a').innerHTML = '<p>1</p>'.repeat(500);
      for (const piece of written.serialize(document, seen)) { change(); change = () => {}; seen.resumed = true; }
      return seen.lost;
    };
    return [read(() => {}), read(() => document.body.append(document.createElement('p'))), read(() => document.querySelector('#a').remove())];
  })()`);
  assert.deepEqual(lost.slice(0, 2), [0, 0]);
  assert.ok(lost[2] > 0);
});
