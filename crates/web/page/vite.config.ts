import { existsSync, readFileSync } from 'node:fs';

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

// The bundle has code of others in it, who ask that their licences go with it.
function licences(): Plugin {
  return {
    name: 'licences',
    generateBundle(_, bundle) {
      const packages = new Set<string>();
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const id of chunk.moduleIds) {
          const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
          if (found) packages.add(found);
        }
      }
      const text = [...packages].sort().map((name) => {
        const folder = new URL(`node_modules/${name}/`, import.meta.url);
        const { version } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as { version: string };
        const file = ['LICENSE', 'LICENSE.md', 'license', 'LICENCE'].find((one) => existsSync(new URL(one, folder)));
        return `${name} ${version}\n\n${file ? readFileSync(new URL(file, folder), 'utf8').trim() : ''}\n`;
      });
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source: text.join('\n\n') });
    },
  };
}

// The bundle is committed, and put into the binary. File names have no hashes, so that a change
// of the page is a change of the same files; the server's entity tags tell versions apart.
export default defineConfig({
  plugins: [svelte(), licences()],
  base: './',
  build: {
    outDir: process.env.TESUJI_DIST ?? '../dist',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    rollupOptions: {
      output: {
        entryFileNames: 'assets/page.js',
        chunkFileNames: 'assets/[name].js',
        assetFileNames: 'assets/[name][extname]',
      },
    },
  },
  // While the page is written: `npm run dev` beside `tesuji serve --port 7788`.
  server: { proxy: { '/api': { target: 'http://127.0.0.1:7788', changeOrigin: true, headers: { origin: 'http://127.0.0.1:7788' } } } },
});
