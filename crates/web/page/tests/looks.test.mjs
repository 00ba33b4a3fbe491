// Every view is usable by everybody: axe-core finds nothing serious, in light and in dark, and
// nothing is wider than a phone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join } from 'node:path';

import { PICTURES, barriers, begin, copy, house, tesuji, turn, visit } from './house.mjs';

const home = house((path) => {
  copy('results/2026-11-15-table1/table1.db', join(path, 'table1.db'));
  tesuji('tournament', 'hex:5,breakthrough:4x5', 'uct', 'rave', 'random', '--budget', '50', '--games', '4', '--store', join(path, 'tournament.db'));
  copy('results/2026-11-20-tuning/hex11.toml', join(path, 'experiments/hex11.toml'));
  tesuji('tune', 'hex:5', 'rave(bias=?,amaf=?)@50', '--against', 'uct@50', '--against', 'greedy', '--games', '400', '--confirm', '40', '--store', join(path, 'tuned.db'));
});

/** Each view, by what leads to it. */
const VIEWS = [
  ['first', async () => undefined],
  ['hex', async (page) => {
    await begin(page, 'hex:7', { white: 'sh+uct@2000' });
    await page.getByTestId('cell-d4').click();
    await turn(page);
    await page.getByTestId('agreement').waitFor();
  }],
  ['go', async (page) => {
    await begin(page, 'go:9', { white: 'hybrid-shuss@2000' });
    await page.getByTestId('cell-e5').click();
    await turn(page);
    await page.getByTestId('agreement').waitFor();
  }],
  ['phantom', async (page) => {
    await begin(page, 'phantom-go:5', { white: 'flat(sh)@100' });
    await page.getByTestId('cell-c3').click();
    await turn(page);
  }],
  ['breakthrough', async (page) => begin(page, 'breakthrough:6')],
  ['laboratory', async (page, address) => {
    await page.goto(`${address}#/laboratory`);
    await page.getByTestId('stores').waitFor();
  }],
  ['store', async (page, address) => {
    await page.goto(`${address}#/laboratory/table1.db`);
    await page.getByTestId('plot').first().waitFor();
  }],
  ['tournament', async (page, address) => {
    await page.goto(`${address}#/laboratory/tournament.db`);
    await page.getByTestId('tournament').waitFor();
  }],
  ['tuning', async (page, address) => {
    await page.goto(`${address}#/laboratory/tuned.db`);
    await page.getByTestId('tuning').waitFor();
    await page.getByRole('button', { name: /Show all/ }).click();
  }],
  ['bandits', async (page, address) => {
    await page.goto(`${address}#/bandits`);
    await page.getByTestId('bandit-start').click();
    await page.getByTestId('bandit-table').waitFor();
    await page.waitForTimeout(500);
  }],
];

const SCREENS = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['phone', { colorScheme: 'light', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
];

for (const [screen, options] of SCREENS) {
  test(`nobody is kept out: ${screen}`, async () => {
    for (const [view, lead] of VIEWS) {
      // The policy of the page would keep axe-core itself out.
      const { page, close } = await visit(home.browser, home.server.address, { ...options, bypassCSP: true });
      await lead(page, home.server.address);
      await page.screenshot({ path: join(PICTURES, `${view}-${screen}.png`), fullPage: true });
      assert.deepEqual(await barriers(page), [], `${view}, ${screen}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${view}, ${screen}: ${wide} pixels too wide`);
      await close();
    }
  });
}
