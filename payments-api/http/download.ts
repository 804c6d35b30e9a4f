// Downloads from a presigned URL, which is itself the permission: our token and version never go to that host.
import { PaymentsApiError } from '../errors.js';
import { codeOfStatus, malformed } from './judge.js';
import { createTransport } from './transport.js';
import { exchange } from './exchange.js';
import type { HttpOptions } from './send.js';

/** How much is read, and the signal by which the caller aborts. */
export interface DownloadLimits {
  maxBytes?: number | undefined;
  signal?: AbortSignal | undefined;
}

export type Download = (url: string, limits?: DownloadLimits) => Promise<string>;

const MAX_BYTES = 32 * 1024 * 1024;
const LIMIT_MS = 120_000;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Downloads UTF-8 text by https alone; by http too where `baseUrl` is http, as that of a sandbox.
 * No redirect is followed, and no error quotes the URL.
 * @throws PaymentsApiError `rejected` for a URL that cannot be used or that its host refuses, else as `exchange` does.
 */
export function createDownload(operation: string, options: HttpOptions): Download {
  const transport = options.fetch ?? createTransport();
  const protocols = options.baseUrl.startsWith('http:') ? ['http:', 'https:'] : ['https:'];
  return async (address, { maxBytes = MAX_BYTES, signal } = {}) => {
    const url = usableUrl(operation, address, protocols);
    const request = { method: 'GET', headers: {} };
    const limitMs = options.limitMs ?? LIMIT_MS;
    const reply = await exchange({ operation, url, request, signal, transport, limitMs, maxBytes });
    if (codeOfStatus(reply.status) !== undefined) throw refusalOf(operation, reply.status);
    return textOf(operation, reply.body);
  };
}

/** Credentials in a URL would be sent as an Authorization header. */
function usableUrl(operation: string, address: string, protocols: readonly string[]): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && protocols.includes(url.protocol) && url.username === '' && url.password === '') return url.href;
  const expected = `expected a URL with ${protocols.join(' or ')} and without credentials`;
  throw new PaymentsApiError('rejected', `${operation}: ${expected}; met another`);
}

/** A 401 or 403 is about the link: it must not be taken for a refusal of our token. */
function refusalOf(operation: string, status: number): PaymentsApiError {
  const code = codeOfStatus(status);
  const isKept = code === 'unavailable' || code === 'rate_limited' || code === 'malformed';
  const message = `${operation}: expected the report; met the status ${status}. Request a new link`;
  return new PaymentsApiError(isKept ? code : 'rejected', message, { status });
}

function textOf(operation: string, body: Uint8Array): string {
  try {
    return UTF8.decode(body);
  } catch {
    throw malformed(operation, 'text in UTF-8', 'other bytes'); // the decoder's error says no more
  }
}
