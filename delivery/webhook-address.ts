// Which addresses may receive webhooks. A caller names them, so they must not reach into our network.
import { BlockList, isIP } from 'node:net';

export const MOST_URL_CHARS = 2000;

/** The networks of RFC 6890 (https://www.iana.org/assignments/iana-ipv4-special-registry) that are not on the Internet. */
const PRIVATE_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // behind a provider's NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, with the metadata of clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
];

/** Only 2000::/3 is on the Internet. These parts of it are not, or contain an IPv4 address. */
const PRIVATE_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  ['::', 3], // unspecified, loopback, IPv4-mapped, NAT64
  ['2001::', 23], // protocol assignments, Teredo
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['3fff::', 20], // documentation
  ['4000::', 2], // unassigned
  ['8000::', 1], // unassigned, unique local, link-local, multicast
];

const privateNetworks = new BlockList();
for (const [network, prefix] of PRIVATE_IPV4) privateNetworks.addSubnet(network, prefix, 'ipv4');
const privateNetworks6 = new BlockList();
for (const [network, prefix] of PRIVATE_IPV6) privateNetworks6.addSubnet(network, prefix, 'ipv6');

/** @returns true also for a text that is no IP address. */
export function isPrivateAddress(ip: string): boolean {
  const family = isIP(ip);
  if (family === 4) return privateNetworks.check(ip, 'ipv4');
  // A zone belongs to a link.
  return family !== 6 || ip.includes('%') || privateNetworks6.check(ip, 'ipv6');
}

/**
 * Checks a URL for webhooks before it is stored. Its name is resolved and checked again for each request.
 * @returns what is wrong with it, as the end of a sentence that begins with its name.
 */
export function urlProblem(url: string, allowsPrivate: boolean): string | undefined {
  if (url.length > MOST_URL_CHARS) return `must have at most ${MOST_URL_CHARS} characters`;
  if (!URL.canParse(url)) return 'must be an absolute URL';
  const { protocol, username, password, hostname } = new URL(url);
  const isHttp = allowsPrivate && protocol === 'http:';
  if (protocol !== 'https:' && !isHttp) return 'must begin with https://';
  if (username !== '' || password !== '') return 'must not contain a user name or a password';
  const ip = ipOf(hostname);
  if (!allowsPrivate && ip !== undefined && isPrivateAddress(ip))
    return 'must not be a private, loopback or reserved address';
  return undefined;
}

/** The address in a URL's host name. @returns undefined if it is a name. */
export function ipOf(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}
