// What the tests share: the real program, and a real browser.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
export const TESUJI = process.env.TESUJI ?? join(ROOT, 'target/release/tesuji');

/** Where pictures go, for whoever wants to look. */
export const PICTURES = join(process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target'), 'page');
mkdirSync(PICTURES, { recursive: true });

/** A folder that can be removed. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), 'tesuji-page-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Runs the program to its end. */
export function tesuji(...words) {
  return execFileSync(TESUJI, words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] }).toString();
}

/** Starts the program and lets it run. */
export function start(...words) {
  return spawn(TESUJI, words, { cwd: ROOT, stdio: ['ignore', 'ignore', 'ignore'] });
}

/** A copy of a file of the repository. */
export function copy(name, to) {
  cpSync(join(ROOT, name), to);
}

/** The server, over a folder of results. */
export async function serve(path) {
  const child = spawn(TESUJI, ['serve', '--port', '0', '--no-open', '--folder', path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    let text = '';
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
    child.stdout.on('data', (data) => {
      text += data;
      const found = /http:\/\/\S+/.exec(text);
      if (found) resolve(found[0]);
    });
  });
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
  /** Ends it as Ctrl-C does; gives its exit code. */
  const stop = () => {
    child.kill('SIGINT');
    return ended;
  };
  return { address, stop };
}

/** A browser; nothing of it leaves this machine. */
export async function browse() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic'],
  });
}

/**
 * A fresh page of the server: nothing is shown slowly. Whatever it logs as an error, and every
 * request to another host, is kept in `faults`.
 */
export async function visit(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const faults = [];
  // What the service refuses is answered kindly by the page, and logged by the browser all the same.
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !url.startsWith('data:') && !url.startsWith('blob:')) faults.push(`a request to ${url}`);
  });
  await page.goto(address);
  await page.getByTestId('status').or(page.getByRole('heading')).first().waitFor();
  return { page, faults, close: () => context.close() };
}

/** A server over a folder that `fill` has put something into, and a browser, for the tests of one file. */
export function house(fill = () => undefined) {
  const home = {};
  before(async () => {
    home.place = folder();
    fill(home.place.path);
    home.server = await serve(home.place.path);
    home.browser = await browse();
  });
  after(async () => {
    await home.browser.close();
    // What serves ends by itself when it is asked to.
    assert.equal(await home.server.stop(), 0);
    home.place.remove();
  });
  return home;
}

/** Begins a game by the form: a spec, and a player's spec or nothing for each side. */
export async function begin(page, game, { black = null, white = null } = {}) {
  await page.goto(new URL('#/play', page.url()).href);
  const advanced = page.getByText('Advanced: type a spec');
  if (!(await page.getByLabel('Game spec', { exact: true }).isVisible())) await advanced.click();
  await page.getByLabel('Game spec', { exact: true }).fill(game);
  for (const [side, spec] of [['Black', black], ['White', white]]) {
    await page.getByLabel(side, { exact: true }).selectOption({ label: spec === null ? 'A person' : 'Type a spec…' });
    if (spec !== null) await page.getByLabel(`${side}'s spec`, { exact: true }).fill(spec);
  }
  await page.getByTestId('new-game').click();
  await page.waitForFunction((spec) => document.querySelector('[data-testid="status"]')?.parentElement?.textContent?.includes(spec), game);
}

/** The words that say whose turn it is, or how the game ended. */
export async function status(page) {
  return (await page.getByTestId('status').textContent())?.trim() ?? '';
}

/** The cells that may be clicked now. */
export async function legal(page) {
  return page.locator('[data-testid="board"] [data-testid^="cell-"][aria-label*="legal"]').evaluateAll((cells) =>
    cells.map((cell) => cell.getAttribute('data-testid')),
  );
}

/** Waits until it is a person's turn or the game is over; whether it is over. */
export async function turn(page) {
  await page.waitForFunction(() => {
    const text = document.querySelector('[data-testid="status"]')?.textContent ?? '';
    return /your turn|wins|draw/i.test(text);
  });
  return /wins|draw/i.test(await status(page));
}

/** Does something that plays a move, and waits until it is played: before that a click is not heard. */
export async function plays(page, action) {
  const counted = page.locator('summary', { hasText: /\d+ moves?/ }).first();
  const before = await counted.textContent();
  await action();
  const until = Date.now() + 15_000;
  while ((await counted.textContent()) === before) {
    assert.ok(Date.now() < until, `no move is played after ${before}`);
    await page.waitForTimeout(20);
  }
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe-core finds on the page that is serious, in words. */
export async function barriers(page) {
  await page.evaluate(() => window.axe ?? null);
  // The page's own policy lets no foreign script in; the browser is told to make an exception.
  const { readFileSync } = await import('node:fs');
  await page.evaluate(readFileSync(AXE, 'utf8'));
  const found = await page.evaluate(async () => (await window.axe.run(document)).violations);
  return found
    .filter((one) => one.impact === 'serious' || one.impact === 'critical')
    .map((one) => `${one.id}: ${one.help} (${one.nodes.map((node) => node.target.join(' ')).join(', ')})`);
}
