// A search watched through its rounds, and a Phantom Go game with an attempt that is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join } from 'node:path';

import { PICTURES, begin, house, legal, plays, status, turn, visit } from './house.mjs';

const home = house();

test('a search is watched round by round, forwards and back', async () => {
  const { page, faults, close } = await visit(home.browser, home.server.address);
  await begin(page, 'go:5', { white: 'hybrid-shuss(t=64)@2000' });
  await page.getByTestId('cell-c3').click();
  await turn(page);
  const label = () => page.getByTestId('round-label').textContent();
  await page.getByTestId('round-first').click();
  assert.match((await label()) ?? '', /Round 1/);
  await page.screenshot({ path: join(PICTURES, 'round-1.png'), fullPage: true });
  const seen = [await label()];
  const next = page.getByTestId('round-next');
  while ((await next.getAttribute('aria-disabled')) !== 'true') {
    await next.click();
    seen.push(await label());
  }
  // 24 moves, 12, 6, 3, 2, and what comes of it.
  assert.ok(seen.length >= 5, seen.join('\n'));
  assert.match(seen.at(-1) ?? '', /Result/);
  await page.getByTestId('round-previous').click();
  assert.equal(await label(), seen.at(-2));
  // What UCT would have done stands beside it.
  await page.getByTestId('agreement').waitFor();
  assert.match((await page.getByTestId('beside').textContent()) ?? '', /UCT/);
  await page.screenshot({ path: join(PICTURES, 'watch.png'), fullPage: true });
  assert.deepEqual(faults, []);
  await close();
});

test('a move gets more samples, and another is left out', async () => {
  const { page, faults, close } = await visit(home.browser, home.server.address);
  await begin(page, 'hex:5', { white: 'rave@1000' });
  await page.getByTestId('think').click();
  const watch = page.getByTestId('watch');
  const samples = async (move) => Number(/(\d+) samples/.exec((await watch.locator('li').filter({ has: page.getByTestId(`focus-${move}`) }).textContent()) ?? '')?.[1]);
  const best = (await page.getByTestId('round-label').filter({ hasText: 'Result' }).textContent())?.replace('Result: ', '') ?? '';
  await page.getByTestId(`focus-${best}`).waitFor();
  const before = await samples(best);
  await page.getByTestId(`focus-${best}`).click();
  await page.getByTestId('focused').filter({ hasText: `${best} got 1000 samples more.` }).waitFor();
  assert.equal(await samples(best), before + 1000);
  assert.match((await watch.textContent()) ?? '', /2000 of 2000 samples/);
  // Again, by keyboard: the trees are still there.
  await page.getByTestId(`focus-${best}`).press('Enter');
  await page.getByTestId('focused').filter({ hasText: `${best} got 2000 samples more.` }).waitFor();
  assert.equal(await samples(best), before + 2000);
  await page.screenshot({ path: join(PICTURES, 'focus.png'), fullPage: true });
  // Without it, another one is chosen.
  await page.getByTestId(`exclude-${best}`).click();
  await page.getByTestId('excluded').filter({ hasText: `Left out: ${best}.` }).waitFor();
  await page.getByTestId('include').waitFor();
  assert.equal(await page.getByTestId(`focus-${best}`).count(), 0);
  assert.notEqual((await page.getByTestId('round-label').textContent()) ?? '', `Result: ${best}`);
  await page.screenshot({ path: join(PICTURES, 'excluded.png'), fullPage: true });
  await page.getByTestId('include').click();
  await page.getByTestId(`focus-${best}`).waitFor();
  assert.equal(await page.getByTestId('excluded').count(), 0);
  // Nothing was played.
  assert.match((await status(page)) ?? '', /Black|your/i);
  assert.deepEqual(faults, []);
  await close();
});

test('a click on the board gives a move more samples while programs pause', async () => {
  const { page, faults, close } = await visit(home.browser, home.server.address);
  await begin(page, 'hex:4', { black: 'uct@300000', white: 'uct@300000' });
  await page.getByTestId('pause').click();
  await page.getByTestId('play-on').waitFor();
  await page.getByTestId('think').click();
  const watch = page.getByTestId('watch');
  await watch.getByRole('heading', { name: 'What it would play' }).waitFor();
  await watch.locator('[data-testid^="focus-"]').first().waitFor();
  const moves = await watch.locator('[data-testid^="focus-"]').evaluateAll((all) => all.map((one) => one.dataset.testid.slice(6)));
  const move = moves.at(-1);
  await page.getByTestId(`cell-${move}`).click();
  await page.getByTestId('focused').filter({ hasText: `${move} got 300000 samples more.` }).waitFor();
  assert.deepEqual(faults, []);
  await close();
});

test('rounds without samples are told plainly', async () => {
  const { page, faults, close } = await visit(home.browser, home.server.address);
  await begin(page, 'go:13', { white: 'flat(sh)@100' });
  await page.getByTestId('cell-g7').click();
  await page.waitForFunction(() => /White plays/.test(document.querySelector('[data-testid="status"]')?.textContent ?? ''));
  await page.getByTestId('round-first').click();
  const watched = (await page.getByTestId('watch').textContent()) ?? '';
  assert.match(watched, /fewer samples than moves: \d+ moves are dropped without a look/);
  assert.match(watched, /not tried/);
  assert.match((await page.getByTestId('round-label').textContent()) ?? '', /168 moves, no samples, 84 go on/);
  assert.doesNotMatch(watched, /0 trial games|better 84/);
  await page.screenshot({ path: join(PICTURES, 'few-samples.png'), fullPage: true });
  assert.deepEqual(faults, []);
  await close();
});

test('a search is stopped at once', async () => {
  const { page, close } = await visit(home.browser, home.server.address);
  await begin(page, 'go:9', { white: 'uct@60s' });
  await page.getByTestId('cell-e5').click();
  await page.getByTestId('move-now').waitFor();
  await page.waitForTimeout(300);
  const begun = Date.now();
  await page.getByTestId('move-now').click();
  await turn(page);
  assert.ok(Date.now() - begun < 2000, `${Date.now() - begun} ms`);
  await close();
});

test('Phantom Go: the person is refused, tries again, and sees all boards in the end', async () => {
  const { page, faults, close } = await visit(home.browser, home.server.address);
  await begin(page, 'phantom-go:5', { white: 'flat(sh)@200' });
  const calls = () => page.getByTestId('calls').textContent();
  const message = () => page.getByTestId('message').textContent();
  // Wherever the program's stones are, one of these runs into one before long.
  let refused = false;
  for (let moves = 0; moves < 25 && !refused; moves += 1) {
    if (await turn(page)) break;
    const before = await calls();
    const cells = await legal(page);
    await page.getByTestId('board').getByTestId(cells[Math.floor(cells.length / 2)]).click();
    await page.waitForFunction((before) => document.querySelector('[data-testid="calls"]')?.textContent !== before, before);
    refused = /not legal/.test((await calls()) ?? '');
    if (refused) {
      assert.match((await message()) ?? '', /refus|not legal|try another/i);
      assert.match(await status(page), /Black to move/);
      await page.screenshot({ path: join(PICTURES, 'phantom-refused.png'), fullPage: true });
    }
  }
  assert.ok(refused, 'the referee never refused anything');
  assert.match((await calls()) ?? '', /White has moved/);
  // To the end: pass until both have.
  for (let moves = 0; !(await turn(page)); moves += 1) {
    assert.ok(moves < 80, 'the game goes on for ever');
    await plays(page, () => page.getByTestId('pass').click());
  }
  await page.getByTestId('reveal').click();
  for (const board of ['board-black', 'board-truth', 'board-white']) await page.getByTestId(board).waitFor();
  const label = () => page.getByTestId('replay-label').textContent();
  const first = await label();
  await page.getByTestId('replay-next').click();
  assert.notEqual(await label(), first);
  await page.getByTestId('replay-last').click();
  await page.screenshot({ path: join(PICTURES, 'phantom-boards.png'), fullPage: true });
  assert.deepEqual(faults, []);
  await close();
});
