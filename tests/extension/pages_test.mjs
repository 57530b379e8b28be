// The extension's own pages: names for screen readers, the keyboard, narrow windows, light and dark.
// With TWINSET_SCREENSHOTS=FOLDER each is photographed, to be looked at.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { loginPage, start, until } from './browser.mjs';

const shots = process.env.TWINSET_SCREENSHOTS;
if (shots) fs.mkdirSync(shots, { recursive: true });
let browser;
before(async () => {
  browser = await start();
});
after(() => browser?.stop());

/** Each width and color: nothing stands out to the side, text has contrast, and a picture is taken. */
async function look(page, name, widths = [1000, 500, 340]) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const found = await page.evaluate(() => {
        const light = (color) => {
          const [r, g, b] = color.match(/[\d.]+/g).map((v) => { const c = v / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const under = (element) => {
          for (let e = element; e; e = e.parentElement) {
            const color = getComputedStyle(e).backgroundColor;
            if (!/rgba\(.*, 0\)|transparent/.test(color)) return color;
          }
          return 'rgb(255, 255, 255)';
        };
        const faint = [];
        for (const element of document.querySelectorAll('body *')) {
          if (!element.checkVisibility() || element.matches(':disabled') || ![...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
          const [a, b] = [light(getComputedStyle(element).color), light(under(element))].sort((x, y) => y - x);
          if ((a + 0.05) / (b + 0.05) < 4.5) faint.push(`${element.tagName} ${element.textContent.slice(0, 40)}`);
        }
        const nameless = [...document.querySelectorAll('button, input, a, select')].filter((e) => e.checkVisibility() &&
          !(e.ariaLabel || e.textContent.trim() || e.labels?.[0]?.textContent.trim())).map((e) => e.outerHTML);
        return { wide: document.documentElement.scrollWidth - innerWidth, faint, nameless };
      });
      assert.deepEqual(found, { wide: Math.min(found.wide, 0), faint: [], nameless: [] }, `${name}, ${colorScheme}, ${width} pixels`);
      if (shots) await page.screenshot({ path: path.join(shots, `${name}-${colorScheme}-${width}.png`), fullPage: true });
    }
  }
}

/** What Tab reaches, in its order. */
async function keys(page, presses) {
  const reached = [];
  for (let i = 0; i < presses; i++) {
    reached.push(await page.evaluate(() => document.activeElement.ariaLabel || document.activeElement.textContent.trim()));
    await page.keyboard.press('Tab');
  }
  return reached;
}

test('the pages of the extension', async () => {
  await look(browser.ours, 'options-empty');
  browser.serve('www.bank.example/login', loginPage());
  const bank = await browser.open('www.bank.example/login');
  const bankId = await browser.idOf(bank);
  const popup = await browser.context.newPage();
  await popup.goto(browser.page(`popup.html?tab=${bankId}`));
  await until(async () => /Nothing is remembered yet/.test(await popup.textContent('#state')), 'the popup is there');
  await look(popup, 'popup-first', [352]);
  await bank.bringToFront();
  await bank.type('input[type=password]', 'secret');
  await until(async () => (await browser.say({ kind: 'state', tab: bankId })).offered, 'it is offered');
  await popup.reload();
  await until(async () => !(await popup.isDisabled('#yes')), 'the question is open');
  assert.match(await popup.locator('main').ariaSnapshot(), /button "Remember it"[^]*button "Not on this site"/);
  await look(popup, 'popup-asks', [352]);
  await popup.click('#yes');
  await until(async () => /Remembered: 5 parts/.test(await popup.textContent('#said')), 'it is remembered');
  await look(popup, 'popup-remembered', [352]);

  browser.serve('bank.example.log-in.test/', loginPage({ extra: '<p>Copyright of nobody, all rights taken by the one who made this copy.</p><p><script>alert(1)</script>&lt;b onclick=&quot;x&quot;&gt; Letters & signs that are markup elsewhere &amp; stay text here</p>' }));
  const blocked = await browser.open('bank.example.log-in.test/');
  await browser.blocked(blocked);
  const heard = await blocked.locator('main').ariaSnapshot();
  assert.match(heard, /heading "This is not bank\.example" \[level=1\]/);
  assert.match(heard, /button "Go back"/);
  assert.match(heard, /heading "The page you know, bank\.example" \[level=3\]/);
  assert.deepEqual(await keys(blocked, 2), ['Go back', 'I know bank.example.log-in.test: open it, and do not warn again']);
  assert.match(await blocked.textContent('main'), /<b onclick="x"> Letters & signs that are markup elsewhere & stay text here/);
  assert.equal(await blocked.locator('.sides b, .sides script').count(), 0);
  await look(blocked, 'blocked');
  browser.serve('blog.example/', '<div>A page about banks quotes one:</div><p>Please log in with your customer number and the password that you chose.</p>');
  await look(await browser.blocked(await browser.open('blog.example/')), 'blocked-unsure');

  browser.serve('evil.example/', `<div style="display: none"></div><script>document.querySelector("div").append("word ".repeat(8e6))</script><input type=password>`);
  const unchecked = await browser.open('evil.example/');
  await browser.blocked(unchecked, 30000);
  await look(unchecked, 'unchecked');
  await unchecked.click('#on');
  await unchecked.waitForURL(/evil\.example/);
  const evilId = await browser.idOf(unchecked);
  await until(async () => (await browser.say({ kind: 'state', tab: evilId })).gaveUp, 'it is told', 30000);
  await popup.goto(browser.page(`popup.html?tab=${evilId}`));
  await until(async () => /too large/.test(await popup.textContent('#trouble')), 'the popup tells');
  await look(popup, 'popup-trouble', [352]);

  await browser.ours.reload();
  await until(async () => (await browser.ours.locator('#known tr').count()) === 1, 'the options are there');
  await look(browser.ours, 'options');
  const names = await browser.ours.locator('main').ariaSnapshot();
  for (const name of [/button "Forget Northern Harbour of bank\.example"/, /button "Undo: block evil\.example again"/, /button "Ask again on bank\.example"/,
    /radio "Ignore them/, /spinbutton "Percent of the parts/, /checkbox "Ask once/, /button "Import a list/, /status/]) assert.match(names, name);
  await blocked.goto(browser.page('blocked.html?id=none'));
  await until(async () => /earlier session/.test(await blocked.textContent('main')), 'an old warning says so');
  await look(blocked, 'blocked-old');
});
