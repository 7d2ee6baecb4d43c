import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import http from "../http/package.json" with { type: "json" };

/** Style sheets of chunks are loaded in any order, so each one states the order of the layers. */
const layerOrder: Plugin = {
  name: "layer-order",
  enforce: "pre",
  transform: (code, id) =>
    id.endsWith(".css") ? `@layer reset, tokens, parts, screens;\n${code}` : null,
};

// The files have relative URLs: the server adds the path that it is mounted at.
export default defineConfig({
  base: "./",
  define: { __VERSION__: JSON.stringify(http.version) },
  plugins: [react(), layerOrder],
  build: {
    outDir: "../http/page",
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
  resolve: { conditions: ["quartermaster-source", "module", "browser", "development|production"] },
  server: { proxy: { "/api": "http://127.0.0.1:7420" } },
});
