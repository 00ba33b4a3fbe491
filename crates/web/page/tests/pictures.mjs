// The README's pictures of the page: `cargo xtask picture` draws them. No test.
import { join } from 'node:path';

import { begin, browse, folder, serve, tesuji, turn, visit } from './house.mjs';

const [into] = process.argv.slice(2);
const place = folder();
tesuji('match', 'phantom-go:7', 'flat(sh)', 'flat(uniform)', '--budget', '500', '--games', '2', '--store', join(place.path, 'phantom.db'));
const server = await serve(place.path);
const browser = await browse();

const watch = await visit(browser, server.address, { viewport: { width: 1200, height: 860 }, colorScheme: 'light' });
await begin(watch.page, 'hex:7', { white: 'hybrid-shuss(t=32)@2000' });
await watch.page.getByTestId('cell-d4').click();
await turn(watch.page);
await watch.page.getByTestId('agreement').waitFor();
await watch.page.getByTestId('round-first').click();
await watch.page.getByTestId('round-next').click();
await watch.page.evaluate(() => scrollTo(0, 0));
await watch.page.screenshot({ path: join(into, 'page-watch.png') });
await watch.close();

const store = await visit(browser, server.address, { viewport: { width: 1200, height: 860 }, colorScheme: 'dark' });
await store.page.goto(`${server.address}#/laboratory/phantom.db`);
await store.page.locator('a[data-testid^="cell-"]').first().click();
await store.page.locator('a[data-testid^="game-"]').first().click();
for (let step = 0; step < 26; step += 1) await store.page.getByTestId('replay-next').click();
await store.page.mouse.move(0, 0);
await store.page.getByTestId('replay').screenshot({ path: join(into, 'page-phantom.png') });
await store.close();

await browser.close();
await server.stop();
place.remove();
