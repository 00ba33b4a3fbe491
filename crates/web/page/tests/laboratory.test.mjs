// Results: a store, a cell, a game; one that grows while it is looked at; bandits by a form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join } from 'node:path';

import { PICTURES, copy, house, start, tesuji, visit } from './house.mjs';

const home = house((path) => {
  copy('results/2026-11-15-table1/table1.db', join(path, 'table1.db'));
  tesuji('run', 'experiments/voi-figure1.toml', '--runs', '100', '--store', join(path, 'bandits.db'));
  tesuji('match', 'phantom-go:5', 'flat(sh)', 'flat(uniform)', '--budget', '50', '--games', '4', '--store', join(path, 'phantom.db'));
});

async function laboratory() {
  const visited = await visit(home.browser, home.server.address);
  // A page of its own: an address that changes while the first page still begins can be lost.
  await visited.page.goto('about:blank');
  await visited.page.goto(`${home.server.address}#/laboratory`);
  await visited.page.getByTestId('stores').waitFor();
  return visited;
}

test('a table of the SHUSS paper: measured beside published, a cell, a game', async () => {
  const { page, faults, close } = await laboratory();
  await page.screenshot({ path: join(PICTURES, 'laboratory.png'), fullPage: true });
  await page.getByTestId('store-table1.db').click();
  await page.getByTestId('experiment').first().waitFor();
  await page.getByTestId('plot').first().waitFor();
  const text = (await page.getByTestId('grid').first().textContent()) ?? '';
  assert.match(text, /agrees|off|differs|open/i);
  await page.screenshot({ path: join(PICTURES, 'store.png'), fullPage: true });
  // The plot answers to the pointer.
  const plot = page.getByTestId('plot').first();
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.locator('canvas').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.screenshot({ path: join(PICTURES, 'plot.png') });
  // A cell that was played, its games, one of them.
  const cell = page.getByTestId('grid').first().locator('a[data-testid^="cell-"]').first();
  await cell.click();
  await page.getByTestId('games').waitFor();
  await page.locator('a[data-testid^="game-"]').first().click();
  await page.getByTestId('replay').waitFor();
  const before = await page.getByTestId('replay-label').textContent();
  await page.getByTestId('replay-next').click();
  assert.notEqual(await page.getByTestId('replay-label').textContent(), before);
  await page.screenshot({ path: join(PICTURES, 'stored-game.png'), fullPage: true });
  assert.deepEqual(faults, []);
  await close();
});

test('a figure of the VOI paper as curves', async () => {
  const { page, faults, close } = await laboratory();
  await page.getByTestId('store-bandits.db').click();
  await page.getByTestId('plot').first().waitFor();
  await page.screenshot({ path: join(PICTURES, 'curves.png'), fullPage: true });
  assert.deepEqual(faults, []);
  await close();
});

test('a stored game of Phantom Go shows three boards', async () => {
  const { page, close } = await laboratory();
  await page.getByTestId('store-phantom.db').click();
  await page.locator('a[data-testid^="cell-"]').first().click();
  await page.locator('a[data-testid^="game-"]').first().click();
  for (const board of ['board-black', 'board-truth', 'board-white']) await page.getByTestId(board).waitFor();
  await close();
});

test('all four verdicts are counted, and intervals are ranges', async () => {
  tesuji('match', 'hex:4', 'uct', 'random', '--budget', '500', '--games', '12', '--store', join(home.place.path, 'clear.db'));
  const { page, close } = await laboratory();
  await page.getByTestId('store-table1.db').click();
  await page.getByTestId('experiment').first().waitFor();
  assert.match((await page.locator('main').textContent()) ?? '', /Of \d+ published numbers \d+ agrees?, \d+ (is|are) off, \d+ differs? and \d+ (is|are) open\. A published number agrees if/);
  await page.goto(`${home.server.address}#/laboratory/clear.db`);
  await page.getByTestId('grid').first().waitFor();
  const text = (await page.getByTestId('grid').first().textContent()) ?? '';
  assert.match(text, /100\.0\s\(\d+\.\d to 100\.0\)/);
  assert.doesNotMatch(text, /±/);
  await close();
});

test('a tournament is a rating list with intervals, and grows', async () => {
  const store = join(home.place.path, 'tournament.db');
  const words = ['tournament', 'hex:5,breakthrough:4x5', 'uct', 'rave', 'greedy', 'random', '--budget', '100', '--random-plies', '2', '--store', store, '-j', '1'];
  tesuji(...words, '--games', '4');
  const { page, faults, close } = await laboratory();
  await page.getByTestId('store-tournament.db').click();
  const tournament = page.getByTestId('tournament').first();
  await tournament.waitFor();
  const ratings = tournament.getByTestId('ratings').first();
  const rows = ratings.getByTestId('rating');
  assert.equal(await rows.count(), 4);
  // The strongest player is first, and random is last.
  assert.match((await rows.last().textContent()) ?? '', /random/);
  const elos = (await rows.locator('td b').allTextContents()).map((elo) => Number(elo.replace('−', '-').replace(/[^-\d]/g, '')));
  assert.deepEqual(elos, elos.toSorted((a, b) => b - a));
  assert.match((await tournament.textContent()) ?? '', /Round robin: .* 48 of 48 games\./s);
  assert.equal(await tournament.getByTestId('crosstable').first().locator('tbody tr').count(), 4);
  await tournament.getByText('hex:5', { exact: true }).first().click();
  await page.screenshot({ path: join(PICTURES, 'tournament.png'), fullPage: true });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: join(PICTURES, 'tournament-dark.png'), fullPage: true });
  const running = start(...words, '--games', '200');
  try {
    await page.waitForFunction(() => !/48 of 48 games/.test(document.querySelector('[data-testid="tournament"]')?.textContent ?? ''), undefined, { timeout: 30_000 });
    assert.match((await tournament.textContent()) ?? '', /of 2.400 games/);
  } finally {
    running.kill('SIGTERM');
  }
  assert.deepEqual(faults, []);
  await close();
});

/** Words as one line, to be compared. */
const words = (text) => (text ?? '').replace(/\s+/g, ' ').trim();

test('a tuning shows its best configuration, a curve and fresh games, as on the command line', async () => {
  const store = join(home.place.path, 'tuned.db');
  tesuji('tune', 'hex:3', 'uct(c=?0.1..2:log)@20', '--against', 'greedy', '--games', '40', '--confirm', '20', '--finalists', '2', '--store', store);
  const told = words(tesuji('show', store));
  const { page, faults, close } = await laboratory();
  await page.getByTestId('store-tuned.db').click();
  const tuning = page.getByTestId('tuning');
  await tuning.waitFor();
  const best = words(await tuning.getByTestId('best').textContent());
  assert.match(best, /^Stopped: .* Best: uct.*@20.*With a chance of \d+ %/);
  assert.ok(told.includes(best), `${best}\n${told}`);
  const verdict = words(await tuning.getByTestId('verdict').textContent());
  assert.match(verdict, /The first finalist was expected to win/);
  assert.ok(told.includes(verdict), `${verdict}\n${told}`);
  for (const row of [...(await tuning.getByTestId('candidate').all()), ...(await tuning.getByTestId('finalist').all())]) {
    const cells = (await row.locator('th, td').allTextContents()).map(words).filter(Boolean).join(' ');
    assert.ok(told.includes(cells), `${cells}\n${told}`);
  }
  assert.match(words(await page.getByTestId('live').first().textContent()), /40 of 40 games, 100 %\. All games/);
  // The curve answers to the pointer.
  const plot = tuning.getByTestId('plot');
  assert.equal(await plot.count(), 1);
  assert.match(words(await plot.textContent()), /^c model candidates/);
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.locator('.u-over').boundingBox();
  const tip = plot.getByText(/won, %: \d+\.\d \(\d+\.\d to \d+\.\d\) %/).first();
  for (let share = 0.05; share < 1 && !(await tip.isVisible()); share += 0.05) await page.mouse.move(box.x + box.width / 2, box.y + share * box.height);
  await tip.waitFor();
  await page.screenshot({ path: join(PICTURES, 'tuning-one.png'), fullPage: true });
  assert.deepEqual(faults, []);
  await close();
});

test('a tuning of two parameters has three plots, and all candidates on demand', async () => {
  const store = join(home.place.path, 'words.db');
  tesuji('tune', 'hex:5', 'rave(bias=?,amaf=?)@50', '--against', 'uct@50', '--games', '400', '--confirm', '40', '--store', store);
  const { page, faults, close } = await laboratory();
  await page.goto(`${home.server.address}#/laboratory/words.db`);
  const tuning = page.getByTestId('tuning');
  await tuning.waitFor();
  assert.deepEqual(await tuning.locator('figcaption').allTextContents(), ['bias', 'amaf', 'bias at values of amaf']);
  const rows = tuning.getByTestId('candidate');
  // The ten best, and the default if it is none of them.
  assert.ok([10, 11].includes(await rows.count()));
  const all = tuning.getByRole('button', { name: /Show all \d+ candidates/ });
  const n = Number(/\d+/.exec((await all.textContent()) ?? '')?.[0]);
  await all.click();
  assert.equal(await rows.count(), n);
  // A word has its place in the table of numbers too.
  await tuning.getByTestId('plot').nth(1).locator('summary').click();
  assert.match(words(await tuning.getByRole('region', { name: 'The numbers of amaf' }).textContent()), /modelafter.*modelwhole.*modelplayout.*candidatesafter/);
  assert.deepEqual(faults, []);
  await close();
});

test('a tuning that is running is seen to grow', async () => {
  const store = join(home.place.path, 'tuning.db');
  const running = start('tune', 'hex:7', 'uct(c=?)@5000', '--against', 'rave@5000', '--games', '4000', '--confirm', '0', '--store', store, '-j', '1');
  try {
    const { page, faults, close } = await laboratory();
    await page.waitForFunction(async () => (await fetch('/api/laboratory/stores/tuning.db')).ok, undefined, { polling: 300 });
    await page.goto(`${home.server.address}#/laboratory/tuning.db`);
    await page.getByTestId('tuning').waitFor();
    await page.waitForFunction(() => document.querySelectorAll('[data-testid="candidate"]').length >= 2, undefined, { timeout: 40_000 });
    const best = words(await page.getByTestId('best').textContent());
    assert.match(best, /^[\d,]+ games are missing\. Best: /);
    await page.waitForFunction((before) => (document.querySelector('[data-testid="best"]')?.textContent ?? '').trim() !== before, best, { timeout: 40_000 });
    assert.match(words(await page.getByTestId('live').first().textContent()), /of 4,000 games, \d+ %\. ● Running/);
    await page.screenshot({ path: join(PICTURES, 'tuning-running.png'), fullPage: true });
    assert.deepEqual(faults, []);
    await close();
  } finally {
    running.kill('SIGTERM');
  }
});

test('games in flight are told in the table and in the cell', async () => {
  // Games of many seconds: at the end of its time the run pauses the one that it plays.
  tesuji('match', 'hex:11', 'uct', 'rave', '--budget', '2000000', '--games', '2', '-j', '1', '--time', '300ms', '--store', join(home.place.path, 'paused.db'));
  const { page, faults, close } = await laboratory();
  await page.getByTestId('store-paused.db').click();
  const grid = page.getByTestId('grid').first();
  await grid.waitFor();
  assert.match((await grid.textContent()) ?? '', /in flight.*1 game is in flight\. Short games end first/s);
  await page.screenshot({ path: join(PICTURES, 'in-flight.png'), fullPage: true });
  await page.locator('a[data-testid^="cell-"]').first().click();
  await page.getByTestId('games').waitFor();
  assert.match((await page.locator('main').textContent()) ?? '', /No game is over yet\..*In flight\s*1 game not over yet/s);
  assert.deepEqual(faults, []);
  await close();
});

test('an experiment that is running is seen to grow', async () => {
  const store = join(home.place.path, 'running.db');
  tesuji('match', 'hex:7', 'uct', 'rave', '--budget', '2000', '--games', '1', '--store', store);
  const { page, close } = await laboratory();
  await page.getByTestId('store-running.db').click();
  const live = page.getByTestId('live').first();
  await live.waitFor();
  const done = async () => Number(/([\d\u2009\u202f ,]+) of/.exec((await live.textContent()) ?? '')?.[1]?.replace(/\D/g, '') ?? NaN);
  const before = await done();
  const running = start('match', 'hex:7', 'uct', 'rave', '--budget', '2000', '--games', '400', '--store', store, '-j', '1');
  try {
    const until = Date.now() + 30_000;
    while (!((await done()) > before + 2)) {
      assert.ok(Date.now() < until, `it does not grow: ${await live.textContent()}`);
      await page.waitForTimeout(300);
    }
    await page.screenshot({ path: join(PICTURES, 'running.png') });
  } finally {
    running.kill('SIGTERM');
  }
  await close();
});

test('bandits are measured by a form, and stopped', async () => {
  const { page, faults, close } = await visit(home.browser, home.server.address);
  await page.goto(`${home.server.address}#/bandits`);
  await page.getByTestId('bandit-start').click();
  await page.getByTestId('bandit-table').waitFor();
  await page.waitForFunction(() => (document.querySelector('[data-testid="bandit-table"]')?.textContent ?? '').includes('ucb1'));
  await page.getByTestId('bandit-stop').or(page.getByTestId('bandit-start')).first().waitFor();
  await page.waitForTimeout(1500);
  await page.screenshot({ path: join(PICTURES, 'bandits.png'), fullPage: true });
  // What was measured, and what was entered, is still there after a look at something else.
  await page.getByLabel('Number of arms').fill('24');
  await page.getByRole('link', { name: 'Laboratory', exact: true }).click();
  await page.getByTestId('stores').waitFor();
  await page.getByRole('link', { name: 'Bandits', exact: true }).click();
  assert.match((await page.getByTestId('bandit-table').textContent()) ?? '', /ucb1/);
  assert.equal(await page.getByLabel('Number of arms').inputValue(), '24');
  assert.deepEqual(faults, []);
  await close();
});
