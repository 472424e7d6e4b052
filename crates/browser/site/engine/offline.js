// @ts-check
// Keeps the whole page in this browser, so that it works without a network.

if ("serviceWorker" in navigator) {
  // Relative to the page, so that it works below any path. A browser that forbids it just has no offline page.
  const register = () => navigator.serviceWorker.register(new URL("../sw.js", import.meta.url)).catch(() => {});
  // What is fetched for it does not delay the first game.
  if (document.readyState === "complete") register();
  else addEventListener("load", register);
}
