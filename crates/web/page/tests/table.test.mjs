// What goes wrong at a table, or comes twice: double clicks, lost connections, games that are gone, two windows,
// two persons before one screen, and fingers on small cells.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join } from 'node:path';

import { PICTURES, barriers, begin, house, legal, status, turn, visit } from './house.mjs';

const home = house();

/** Asks the service beside the page. */
async function asked(page, method, path) {
  return page.evaluate(async ([method, path]) => {
    const response = await fetch(path, { method });
    return { status: response.status, body: response.status === 200 ? await response.json() : null };
  }, [method, path]);
}

const idOf = (page) => new URL(page.url()).hash.split('/').at(-1);
const gameOf = async (page) => (await asked(page, 'GET', `/api/games/${idOf(page)}`)).body;
const reads = (page, pattern) =>
  page.waitForFunction(([source, flags]) => new RegExp(source, flags).test(document.querySelector('[data-testid="status"]')?.textContent ?? ''), [pattern.source, pattern.flags]);
const wrong = async (page) => page.getByRole('alert').allTextContents();

test('a double click plays once, and leaves no complaint', async () => {
  const { page, faults, close } = await visit(home.browser, home.server.address, { reducedMotion: 'no-preference' });
  await begin(page, 'hex:5', { white: 'flat(sh)@100' });
  // The answer takes its time, so that the second click comes before it.
  await page.route('**/moves', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  let sent = 0;
  page.on('request', (request) => (sent += Number(request.url().endsWith('/moves'))));
  await page.getByTestId('cell-c3').click();
  await page.getByTestId('cell-c3').click();
  await page.getByTestId('cell-a1').click();
  await reads(page, /White thinks/);
  assert.equal(sent, 1);
  // It is shown round by round, to its end.
  await page.waitForTimeout(600);
  assert.match(await status(page), /White thinks/);
  await turn(page);
  assert.deepEqual(await wrong(page), []);
  assert.equal((await gameOf(page)).ply, 2);
  // The second half of a double click does not end the show of the answer.
  await page.unroute('**/moves');
  const cells = await legal(page);
  await page.getByTestId('board').getByTestId(cells[0]).dblclick({ delay: 20 });
  await page.waitForTimeout(600);
  assert.match(await status(page), /White thinks/);
  await turn(page);
  assert.deepEqual(await wrong(page), []);
  assert.deepEqual(faults, []);
  await close();
});

test("a program's move is told once, when its show is over", async () => {
  const { page, close } = await visit(home.browser, home.server.address, { reducedMotion: 'no-preference' });
  await begin(page, 'hex:4', { white: 'flat(sh)@100' });
  await page.evaluate(() => {
    window.heard = [];
    const region = document.querySelector('[data-testid="status"]');
    new MutationObserver(() => window.heard.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true });
  });
  await page.getByTestId('cell-b2').click();
  await reads(page, /White plays/);
  const heard = await page.evaluate(() => window.heard);
  assert.equal(heard.filter((words) => /^White plays [a-d][1-4]\. Black to move: your turn\.$/.test(words)).length, 1, heard.join('\n'));
  assert.equal(heard.at(-1), await status(page));
  // Looking at the show again is nothing new.
  await page.getByTestId('round-play').click();
  await page.waitForTimeout(300);
  assert.match(await status(page), /White plays/);
  await close();
  const hidden = await visit(home.browser, home.server.address);
  await begin(hidden.page, 'dark-hex:4', { white: 'flat(sh)@100' });
  await hidden.page.getByTestId('cell-b2').click();
  await reads(hidden.page, /White has moved/);
  assert.match(await status(hidden.page), /^White has moved\. Black to move: your turn\.$/);
  await hidden.close();
});

test('events that break off: the game goes on from where it stands', async () => {
  const { page, faults, close } = await visit(home.browser, home.server.address);
  await begin(page, 'hex:5', { white: 'flat(sh)@100' });
  let broken = 0;
  const asked = [];
  page.on('request', (request) => {
    if (/\/api\/games\/[^/]+(\/search)?$/.test(request.url())) asked.push(`${request.method()} ${request.url().endsWith('search') ? 'search' : 'game'}`);
  });
  await page.route('**/search', async (route) => {
    broken += 1;
    if (broken > 1) return route.continue();
    await route.fulfill({ status: 200, contentType: 'text/event-stream', body: ': nothing more comes\n\n' });
  });
  await page.getByTestId('cell-c3').click();
  await reads(page, /White plays/);
  assert.deepEqual(asked, ['POST search', 'GET game', 'POST search']);
  assert.equal((await gameOf(page)).ply, 2);
  // Again and again is too much: then it says so and waits to be asked.
  await page.unroute('**/search');
  await page.route('**/search', (route) => route.fulfill({ status: 200, contentType: 'text/event-stream', body: '\n\n' }));
  await page.getByTestId('board').getByTestId((await legal(page))[0]).click();
  await page.getByTestId('again').waitFor();
  assert.match((await wrong(page)).join(' '), /cut off/);
  await page.unroute('**/search');
  await page.getByTestId('again').click();
  await turn(page);
  assert.deepEqual(await wrong(page), []);
  assert.deepEqual(faults, []);
  await close();
});

test('a game that is gone can go on from its moves', async () => {
  const { page, close } = await visit(home.browser, home.server.address);
  await begin(page, 'hex:5', { white: 'random' });
  await page.getByTestId('cell-c3').click();
  await reads(page, /White plays/);
  const before = await gameOf(page);
  await asked(page, 'DELETE', `/api/games/${before.id}`);
  await page.getByTestId('board').getByTestId((await legal(page))[0]).click();
  await page.getByText('This game is no longer there').waitFor();
  await page.screenshot({ path: join(PICTURES, 'forgotten.png') });
  await page.getByTestId('go-on').click();
  await turn(page);
  const now = await gameOf(page);
  assert.notEqual(now.id, before.id);
  assert.deepEqual(now.moves, before.moves);
  assert.equal(now.white.player, before.white.player);
  await close();
});

test('no answer is said in a sentence, and it goes on when there is one', async () => {
  const { page, close } = await visit(home.browser, home.server.address);
  await begin(page, 'hex:5', { white: 'random' });
  await page.route('**/api/games/**', (route) => (/search$|games\/[^/]+$/.test(route.request().url()) ? route.abort() : route.continue()));
  await page.getByTestId('cell-c3').click();
  await page.getByTestId('again').waitFor();
  assert.match((await wrong(page)).join(' '), /The server does not answer/);
  await page.unroute('**/api/games/**');
  await page.getByTestId('again').click();
  await turn(page);
  assert.deepEqual(await wrong(page), []);
  assert.equal((await gameOf(page)).ply, 2);
  await close();
});

test('a second window waits for the search of the first', async () => {
  const { page, close } = await visit(home.browser, home.server.address);
  await begin(page, 'go:9', { white: 'flat(sh)@2s' });
  await page.getByTestId('cell-e5').click();
  await page.getByTestId('move-now').waitFor();
  const second = await page.context().newPage();
  let searches = 0;
  second.on('request', (request) => (searches += Number(request.url().endsWith('/search'))));
  await second.goto(page.url());
  await second.waitForFunction(() => /White thinks/.test(document.querySelector('[data-testid="status"]')?.textContent ?? ''));
  assert.deepEqual(await wrong(second), []);
  await turn(page);
  await turn(second);
  assert.equal(searches, 0);
  assert.deepEqual(await wrong(second), []);
  assert.equal((await gameOf(second)).ply, 2);
  // The first goes on; the second is behind, and is told.
  await page.getByTestId('board').getByTestId('cell-a1').click();
  await page.getByTestId('move-now').waitFor();
  await second.getByTestId('board').getByTestId('cell-j9').click();
  await second.waitForFunction(() => /another window/.test(document.querySelector('[data-testid="message"]')?.textContent ?? ''));
  await turn(page);
  await second.waitForFunction(() => /[34] moves/.test(document.body.textContent ?? ''));
  assert.deepEqual(await wrong(second), []);
  await close();
});

test('a game in which nothing was played is given back for the next one', async () => {
  const { page, close } = await visit(home.browser, home.server.address);
  await begin(page, 'hex:4');
  const first = idOf(page);
  await begin(page, 'hex:5');
  // The page gives it back behind the scenes.
  const until = Date.now() + 15_000;
  while ((await asked(page, 'GET', `/api/games/${first}`)).status !== 404) {
    assert.ok(Date.now() < until, 'the first game is still there');
    await page.waitForTimeout(20);
  }
  const second = idOf(page);
  await page.getByTestId('cell-c3').click();
  await reads(page, /White to move/);
  await begin(page, 'hex:3');
  await page.waitForTimeout(200);
  assert.equal((await asked(page, 'GET', `/api/games/${second}`)).status, 200);
  await close();
});

test('two persons at a phantom game do not see each other’s view', async () => {
  for (const options of [{}, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }]) {
    const { page, faults, close } = await visit(home.browser, home.server.address, { ...options, bypassCSP: true });
    await begin(page, 'dark-hex:3');
    const shown = async () => [await page.getByTestId('board').count(), await page.getByTestId('calls').count()];
    assert.deepEqual(await shown(), [1, 1]);
    await page.getByTestId('cell-b2').click();
    await page.getByTestId('handover').waitFor();
    assert.deepEqual(await shown(), [0, 0]);
    assert.match(await status(page), /^Black has moved\. Hand the screen to White\.$/);
    assert.equal(await page.getByTestId('handover').textContent(), 'I am White: show my view');
    assert.deepEqual(await barriers(page), []);
    await page.screenshot({ path: join(PICTURES, `handover-${options.isMobile ? 'phone' : 'light'}.png`) });
    // Whoever opens the page anew is asked too.
    await page.reload();
    await page.getByTestId('handover').click();
    assert.deepEqual(await shown(), [1, 1]);
    // What is refused is still White's turn.
    await page.getByTestId('cell-b2').click();
    await page.waitForFunction(() => /refuses b2/.test(document.querySelector('[data-testid="message"]')?.textContent ?? ''));
    assert.deepEqual(await shown(), [1, 1]);
    await page.getByTestId('cell-a1').click();
    await page.getByTestId('handover').waitFor();
    assert.match(await status(page), /Hand the screen to Black/);
    assert.deepEqual(faults, []);
    await close();
  }
});

test('an address that is mangled does not blank the page', async () => {
  const { page, faults, close } = await visit(home.browser, home.server.address);
  await page.goto(`${home.server.address}#/play/%E0%A4%A`);
  await page.reload();
  await page.getByText('This game is no longer there').waitFor();
  assert.deepEqual(faults, []);
  await close();
});

test('fingers on small cells aim first', async () => {
  const { page, faults, close } = await visit(home.browser, home.server.address, { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
  await begin(page, 'go:19');
  await page.getByTestId('cell-c3').tap();
  await page.waitForFunction(() => /c3: tap again to play/.test(document.querySelector('[data-testid="message"]')?.textContent ?? ''));
  assert.equal(await page.locator('.ghost').count(), 1);
  assert.match(await status(page), /Black to move/);
  await page.getByTestId('cell-d4').tap();
  await page.waitForFunction(() => /d4: tap again/.test(document.querySelector('[data-testid="message"]')?.textContent ?? ''));
  assert.match(await status(page), /Black to move/);
  await page.getByTestId('cell-d4').tap();
  await reads(page, /White to move/);
  assert.deepEqual((await gameOf(page)).moves, ['d4']);
  // Large cells are played at once.
  await begin(page, 'hex:5');
  await page.getByTestId('cell-c3').tap();
  await reads(page, /White to move/);
  // The header has two rows at most.
  const tops = await page.locator('header > *').evaluateAll((parts) => parts.map((part) => Math.round((part.getBoundingClientRect().top + part.getBoundingClientRect().bottom) / 2)));
  assert.ok(new Set(tops).size <= 2, `rows at ${tops}`);
  assert.deepEqual(faults, []);
  await close();
});

test('a spec that was not typed is asked for at its field', async () => {
  const { page, close } = await visit(home.browser, home.server.address);
  await begin(page, 'hex:4');
  const before = idOf(page);
  await page.getByLabel('White', { exact: true }).selectOption({ label: 'Type a spec…' });
  await page.getByTestId('new-game').click();
  const field = page.getByLabel("White's spec", { exact: true });
  await page.getByText("Type a player's spec").waitFor();
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  assert.ok(await field.evaluate((one) => document.activeElement === one));
  assert.equal(idOf(page), before);
  await field.fill('random');
  await page.getByTestId('new-game').click();
  await page.waitForFunction((before) => !location.hash.endsWith(before), before);
  await close();
});
