// Downloads from a presigned URL. The URL grants access, so our token and version never go to that host.
import { createHash } from 'node:crypto';
import { PaymentsApiError } from '../errors.js';
import { codeOfStatus } from './judge.js';
import { createTransport } from './transport.js';
import { exchange } from './exchange.js';
import type { HttpOptions } from './send.js';

/** Limits, and the caller's abort signal. */
export interface DownloadLimits {
  /** A larger report is read and hashed, and not returned. Default: 32 MiB. */
  maxBytes?: number | undefined;
  /** The rest of an even larger one is not read. Default: 256 MiB. */
  mostRead?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface Downloaded {
  /** Empty if the report is larger than `maxBytes`. */
  bytes: Uint8Array;
  isTooLarge: boolean;
  /** SHA-256 of all its bytes, in hex. */
  checksum: string;
}

export type Download = (url: string, limits?: DownloadLimits) => Promise<Downloaded>;

const MIB = 1024 * 1024;
const MAX_BYTES = 32 * MIB;
const MOST_READ = 256 * MIB;
const LIMIT_MS = 120_000;

/**
 * Downloads a file over https. Plain http is allowed only if `baseUrl` is http, as for a sandbox.
 * It follows no redirects, and no error quotes the URL. It keeps at most `maxBytes` in memory.
 * @throws PaymentsApiError `rejected` for an unusable URL or a refusal by its host; otherwise as `exchange`.
 */
export function createDownload(operation: string, options: HttpOptions): Download {
  const transport = options.fetch ?? createTransport();
  const protocols = options.baseUrl.startsWith('http:') ? ['http:', 'https:'] : ['https:'];
  return async (address, { maxBytes = MAX_BYTES, mostRead = MOST_READ, signal } = {}) => {
    const url = usableUrl(operation, address, protocols);
    const request = { method: 'GET', headers: {} };
    const limitMs = options.limitMs ?? LIMIT_MS;
    const received = receiving(maxBytes);
    const { take } = received;
    const reply = await exchange({
      ...{ operation, url, request, signal, transport, limitMs, maxBytes: mostRead, take },
    });
    if (codeOfStatus(reply.status) !== undefined) throw refusalOf(operation, reply.status);
    return received.end();
  };
}

function receiving(maxBytes: number): { take: (part: Uint8Array) => void; end: () => Downloaded } {
  const hash = createHash('sha256');
  let parts: Uint8Array[] = [];
  let length = 0;
  return {
    take: (part) => {
      hash.update(part);
      length += part.byteLength;
      if (length <= maxBytes) parts.push(part);
      else parts = [];
    },
    end: () => ({
      bytes: Buffer.concat(parts),
      isTooLarge: length > maxBytes,
      checksum: hash.digest('hex'),
    }),
  };
}

/** Credentials in a URL would be sent as an Authorization header. */
function usableUrl(operation: string, address: string, protocols: readonly string[]): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && protocols.includes(url.protocol) && url.username === '' && url.password === '') return url.href;
  const expected = `expected a URL with ${protocols.join(' or ')} and without credentials`;
  throw new PaymentsApiError('rejected', `${operation}: ${expected}; received another`);
}

/** A 401 or 403 is about the link, not about our token. */
function refusalOf(operation: string, status: number): PaymentsApiError {
  const code = codeOfStatus(status);
  const isKept = code === 'unavailable' || code === 'rate_limited' || code === 'malformed';
  const message = `${operation}: expected the report; received status ${status}. Request a new link`;
  return new PaymentsApiError(isKept ? code : 'rejected', message, { status });
}
