// A host that only sends files, on this machine.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** Sends the files of a folder; `index` stands for its own page, and `onPosted` hears what a page sends. */
export async function serve(folder, { index = null, onPosted = () => {} } = {}) {
  const host = createServer(async (request, response) => {
    if (request.method === "POST") {
      let body = "";
      for await (const part of request) body += part;
      onPosted(body);
      return response.end();
    }
    const { pathname } = new URL(request.url, "http://host");
    const name = pathname === "/" ? "/index.html" : pathname;
    try {
      const body = index !== null && pathname === "/" ? index : readFileSync(join(folder, name));
      response.writeHead(200, { "Content-Type": TYPES[extname(name)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => host.listen(0, "127.0.0.1", resolve));
  const close = () => (host.close(), host.closeAllConnections());
  return { address: `http://127.0.0.1:${host.address().port}/`, close };
}
