import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// The bundle is committed, and put into the binary. File names have no hashes, so that a change
// of the page is a change of the same files; the server's entity tags tell versions apart.
export default defineConfig({
  plugins: [svelte()],
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
