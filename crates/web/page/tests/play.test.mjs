// Whole games, by clicks and by keys.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join } from 'node:path';

import { PICTURES, begin, house, legal, plays, status, turn, visit } from './house.mjs';

const home = house();

test('a game of Hex against a program, by clicks', async () => {
  const { page, faults, close } = await visit(home.browser, home.server.address);
  await begin(page, 'hex:5', { white: 'sh+uct@100' });
  // The middle first.
  await plays(page, () => page.getByTestId('cell-c3').click());
  let moves = 1;
  while (!(await turn(page))) {
    const cells = await legal(page);
    await plays(page, () => page.getByTestId('board').getByTestId(cells[Math.floor(cells.length / 2)]).click());
    moves += 1;
    assert.ok(moves <= 13, 'the game goes on for ever');
  }
  assert.match(await status(page), /(Black|White) wins/);
  await page.screenshot({ path: join(PICTURES, 'hex-won.png') });
  // It can be taken back, and goes on.
  await page.getByTestId('undo').click();
  await page.waitForFunction(() => !/wins/.test(document.querySelector('[data-testid="status"]')?.textContent ?? ''));
  assert.deepEqual(faults, []);
  await close();
});

test('a game of Go on 5x5 against a program, to the end', async () => {
  const { page, faults, close } = await visit(home.browser, home.server.address);
  await begin(page, 'go:5', { white: 'uct@150' });
  for (let moves = 0; !(await turn(page)); moves += 1) {
    assert.ok(moves < 60, 'the game goes on for ever');
    const cells = await legal(page);
    const cell = cells.length === 0 || moves >= 15 ? 'pass' : cells[Math.floor(cells.length / 2)];
    await plays(page, () => page.getByTestId('board').getByTestId(cell).click());
  }
  assert.match(await status(page), /(Black|White) wins/);
  await page.screenshot({ path: join(PICTURES, 'go-over.png') });
  assert.deepEqual(faults, []);
  await close();
});

test('a program with a network plays where a network ships', async () => {
  const { page, faults, close } = await visit(home.browser, home.server.address);
  const offered = () => page.getByLabel('White', { exact: true }).locator('option').allTextContents();
  for (const name of ['Network', 'SHUSS with a network']) {
    await begin(page, 'hex:5');
    assert.ok(!(await offered()).includes(name), 'no network ships for Hex 5x5');
    await page.getByLabel('Game spec', { exact: true }).fill('hex:7');
    await page.getByLabel('White', { exact: true }).selectOption({ label: name });
    await page.getByTestId('new-game').click();
    await page.waitForFunction(() => document.querySelector('[data-testid="status"]')?.parentElement?.textContent?.includes('hex:7'));
    await plays(page, () => page.getByTestId('cell-d4').click());
    assert.equal(await turn(page), false);
    const labels = await page.locator('[role="gridcell"]').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label')));
    assert.equal(labels.filter((label) => /(black|white) stone/.test(label ?? '')).length, 2, name);
    // A network plays no trial games, so the page must not speak of them.
    await page.waitForFunction(() => /by (one|\d+) evaluations?\./.test(document.querySelector('.caption')?.textContent ?? ''));
    assert.doesNotMatch((await page.getByTestId('watch').textContent()) ?? '', /trial game|AMAF/, name);
  }
  await page.screenshot({ path: join(PICTURES, 'network.png') });
  assert.deepEqual(faults, []);
  await close();
});

test('an illegal click is answered kindly, and nothing happens', async () => {
  const { page, close } = await visit(home.browser, home.server.address);
  await begin(page, 'hex:5');
  await page.getByTestId('cell-c3').click();
  await page.waitForFunction(() => /White to move/.test(document.querySelector('[data-testid="status"]')?.textContent ?? ''));
  await page.getByTestId('cell-c3').click();
  assert.match((await page.getByTestId('message').textContent()) ?? '', /c3/);
  assert.match(await status(page), /White to move/);
  await close();
});

test('a move by the keyboard alone', async () => {
  const { page, close } = await visit(home.browser, home.server.address);
  await begin(page, 'hex:3');
  await page.getByTestId('board').locator('[tabindex="0"]').focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /White to move/.test(document.querySelector('[data-testid="status"]')?.textContent ?? ''));
  const labels = await page.locator('[role="gridcell"]').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label')));
  assert.equal(labels.filter((label) => /black stone/.test(label ?? '')).length, 1);
  await close();
});

test('pieces that go from one cell to another, and dominoes', async () => {
  const { page, faults, close } = await visit(home.browser, home.server.address);
  await begin(page, 'breakthrough:5x6', { white: 'random' });
  // White begins, from below.
  assert.equal(await turn(page), false);
  assert.match(await status(page), /Black to move: your turn/);
  const own = page.locator('[data-testid="board"] [role="gridcell"].can').first();
  await own.click();
  await page.locator('[data-testid="board"] [aria-label*="legal"]').first().click();
  await page.waitForFunction(() => /[23] moves?/.test(document.body.textContent ?? ''));
  await begin(page, 'domineering:4');
  await page.locator('[data-testid="board"] [aria-label*="legal"]').first().click();
  await page.waitForFunction(() => /1 move/.test(document.body.textContent ?? ''));
  assert.deepEqual(faults, []);
  await close();
});

test('two programs play each other, step by step', async () => {
  const { page, close } = await visit(home.browser, home.server.address);
  await begin(page, 'hex:4', { black: 'sh+uct@60', white: 'uct@60' });
  for (let step = 0; step < 16 && !/wins/.test(await status(page)); step += 1) {
    const button = page.getByTestId('step').or(page.getByTestId('play-on')).first();
    if (await button.isVisible()) await button.click().catch(() => undefined);
    await page.waitForTimeout(150);
  }
  await page.waitForFunction(() => /wins/.test(document.querySelector('[data-testid="status"]')?.textContent ?? ''));
  await close();
});

test('a wrong spec is explained where it was typed', async () => {
  const { page, close } = await visit(home.browser, home.server.address);
  const advanced = page.getByText('Advanced: type a spec');
  await advanced.click();
  await page.getByLabel('Game spec', { exact: true }).fill('chess');
  await page.getByTestId('new-game').click();
  assert.match((await page.getByRole('alert').first().textContent()) ?? '', /'chess' is not a game/);
  await close();
});

test('a game has an address, and is forgotten kindly', async () => {
  const { page, close } = await visit(home.browser, home.server.address);
  await begin(page, 'hex:4');
  await page.getByTestId('cell-b2').click();
  await page.waitForFunction(() => /White to move/.test(document.querySelector('[data-testid="status"]')?.textContent ?? ''));
  await page.reload();
  await page.waitForFunction(() => /White to move/.test(document.querySelector('[data-testid="status"]')?.textContent ?? ''));
  await page.goto(`${home.server.address}#/play/0000000000000000`);
  await page.getByText(/forgotten/).first().waitFor();
  await close();
});
