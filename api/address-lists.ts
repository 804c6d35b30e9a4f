// Lists of addresses in the configuration, comma-separated. Parsers say what they expected, and never quote the value.

const partsOf = (text: string): string[] => text.split(',').flatMap((entry) => entry.trim() || []);

export function parseHosts(text: string): string[] {
  const names = partsOf(text);
  if (names.every((name) => URL.canParse(`http://${name}`) && new URL(`http://${name}`).hostname === name))
    return names;
  throw new Error('expected host names in lower case, without a port, comma-separated');
}

/** Requires the exact form in which a browser sends an origin, because we compare the two as text. */
export function parseOrigins(text: string): string[] {
  const origins = partsOf(text);
  if (origins.every(isOrigin)) return origins;
  throw new Error('expected origins such as https://temporal.example, without a path, comma-separated');
}
const isOrigin = (text: string): boolean =>
  /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

export function parseReturnUrls(text: string): string[] {
  const urls = partsOf(text);
  if (urls.every(isPage)) return urls.map((url) => new URL(url).href);
  throw new Error('expected http or https URLs without query, fragment and credentials, comma-separated');
}
function isPage(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, pathname, href } = new URL(text);
  return /^https?:$/.test(protocol) && href === `${origin}${pathname}`;
}
