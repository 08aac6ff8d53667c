/** Lets node find the page's libraries where a browser finds them: by the import map in index.html. */
import { readFileSync } from "node:fs";
import { register } from "node:module";

const PAGE = new URL("../../../src/gunita/server/page/", import.meta.url);
const front = readFileSync(new URL("index.html", PAGE), "utf8");
const { imports } = JSON.parse(front.match(/<script type="importmap">(.*?)<\/script>/s)[1]);
const found = Object.fromEntries(
  Object.entries(imports).map(([name, path]) => [name, new URL(path.replace("/page/", ""), PAGE).href]),
);

const hook = `
  const found = ${JSON.stringify(found)};
  export function resolve(name, context, next) {
    return found[name] ? { url: found[name], shortCircuit: true } : next(name, context);
  }
  export async function load(url, context, next) {
    return next(url, url.endsWith(".js") && url.includes("/server/page/") ? { ...context, format: "module" } : context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
