// Checks the URLs of endpoints for webhooks. Delivery checks each address again, when it connects.
import { lookup } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isPrivateAddress, urlProblem } from '../delivery/webhook-address.js';

/** Returns the problem of a URL, as the end of a sentence that begins with "The URL". Undefined: it has none. */
export type CheckWebhookUrl = (url: string) => Promise<string | undefined>;

/** The addresses of a host name. Empty: it has none now. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** A URL as it is stored, in the form of the WHATWG standard. What cannot be parsed stays as it is, for the check. */
export function storedUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  // It is never sent.
  parsed.hash = '';
  return parsed.href;
}

const RESOLVED_WITHIN_MS = 2000;

export const createWebhookUrlCheck =
  ({ allowsPrivate, resolve }: { allowsPrivate: boolean; resolve: ResolveHost }): CheckWebhookUrl =>
  async (url) => {
    const problem = urlProblem(url, allowsPrivate);
    if (problem !== undefined || allowsPrivate) return problem;
    const { hostname } = new URL(url);
    const addresses = await resolve(hostname.replace(/^\[(.*)\]$/, '$1'));
    return addresses.some(isPrivateAddress)
      ? 'must not have a name with a private, loopback or reserved address'
      : undefined;
  };

/** A name that does not resolve in time is accepted: the deliveries show what becomes of it. */
export const resolveHost: ResolveHost = (hostname) => {
  const resolved = lookup(hostname, { all: true }).then(
    (found) => found.map(({ address }) => address),
    () => [],
  );
  const none: string[] = [];
  return Promise.race([resolved, delay(RESOLVED_WITHIN_MS, none, { ref: false })]);
};
