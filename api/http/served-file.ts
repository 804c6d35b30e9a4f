// Serves content that stays the same while the process runs: made and compressed once, with an entity tag.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { Env } from './env.js';

interface ServedFile {
  type: string;
  /** Called at the first request. */
  content: () => string | Uint8Array | Promise<string | Uint8Array>;
  headers?: Readonly<Record<string, string>>;
}

interface Prepared {
  identity: Uint8Array<ArrayBuffer>;
  gzip: Uint8Array<ArrayBuffer>;
  hash: string;
}

/** @returns a handler that answers 304 to a caller who has the content already. */
export function servedFile({ type, content, headers: own = {} }: ServedFile) {
  let prepared: Promise<Prepared> | undefined;
  const prepare = async (): Promise<Prepared> => {
    const identity = new Uint8Array(Buffer.from(await content()));
    const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
    return { identity, gzip: new Uint8Array(gzipSync(identity)), hash };
  };
  return async (c: Context<Env>): Promise<Response> => {
    prepared ??= prepare().catch((error: unknown) => {
      prepared = undefined; // The next request tries again.
      throw error;
    });
    const { hash, ...bytes } = await prepared;
    const encoding = encodingFor(c);
    const etag = `"${hash}-${encoding}"`;
    const headers = { etag, vary: 'accept-encoding', 'cache-control': 'no-cache' };
    if (c.req.header('if-none-match')?.includes(etag) === true) return c.body(null, 304, headers);
    const encoded = encoding === 'gzip' ? { 'content-encoding': encoding } : {};
    return c.body(bytes[encoding], 200, { ...own, ...headers, ...encoded, 'content-type': type });
  };
}

const encodingFor = (c: Context<Env>): 'gzip' | 'identity' =>
  accepts(c, { header: 'Accept-Encoding', supports: ['gzip', 'identity'], default: 'identity' }) === 'gzip'
    ? 'gzip'
    : 'identity';
