// Finds the addresses of one receiver. Not by `dns.lookup`, which would block all other look-ups of the worker while a server for names does not answer.
import dns from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPrivateAddress } from '../../delivery/webhook-address.js';
import { NotSent } from './not-sent.js';

/** @returns at least one address, or rejects. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

export interface NameLookup {
  /** For `connect` of node:net. Its caller connects to the addresses that were checked. */
  lookup: LookupFunction;
  close: () => void;
}

export interface NameLookupOptions {
  allowsPrivate: boolean;
  /** Default: DNS. */
  resolve?: ResolveName | undefined;
}

/** An answer is used again for so long, also if it was an error. */
const REUSED_FOR_MS = 5000;
const DNS_TIMEOUT_MS = 2000;
const LOCALHOST = ['127.0.0.1', '::1'];

interface Found {
  name: string;
  addresses: Promise<readonly string[]>;
  /** Undefined: it has not ended. */
  until: number | undefined;
}

/** Looks one name up at a time, and refuses it if one of its addresses is private. */
export function createNameLookup({ allowsPrivate, resolve }: NameLookupOptions): NameLookup {
  const resolver = new dns.promises.Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 });
  const resolveName = resolve ?? ((name) => resolveInDns(resolver, name, allowsPrivate));
  let last: Found | undefined;
  const addressesOf = (name: string): Promise<readonly string[]> => {
    if (last?.name === name && (last.until ?? Infinity) > performance.now()) return last.addresses;
    const found: Found = { name, addresses: resolveName(name), until: undefined };
    const end = (): void => void (found.until = performance.now() + REUSED_FOR_MS);
    found.addresses.then(end, end);
    last = found;
    return found.addresses;
  };
  const lookup: LookupFunction = (name, { all }, done) => {
    addressesOf(name)
      .then((addresses) => {
        if (!allowsPrivate && addresses.some(isPrivateAddress)) throw new NotSent('refused_address');
        return addresses.map((address) => ({ address, family: isIP(address) }));
      })
      .then(
        (found) => (all === true ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family)),
        (error: unknown) => done(error instanceof Error ? error : new NotSent('dns'), ''),
      );
  };
  return { lookup, close: () => resolver.cancel() };
}

async function resolveInDns(
  resolver: dns.promises.Resolver,
  name: string,
  allowsPrivate: boolean,
): Promise<readonly string[]> {
  if (/(^|\.)localhost\.?$/i.test(name)) return LOCALHOST;
  const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (addresses.length > 0) return addresses;
  if (!allowsPrivate) throw new NotSent('dns');
  // For development: names in /etc/hosts.
  const found = await dns.promises.lookup(name, { all: true });
  return found.map(({ address }) => address);
}
