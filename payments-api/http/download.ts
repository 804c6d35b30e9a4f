// Downloads from a presigned URL. The URL grants access, so our token and version never go to that host.
import { PaymentsApiError } from '../errors.js';
import { codeOfStatus, malformed } from './judge.js';
import { createTransport } from './transport.js';
import { exchange } from './exchange.js';
import type { HttpOptions } from './send.js';

/** The size limit, and the caller's abort signal. */
export interface DownloadLimits {
  maxBytes?: number | undefined;
  signal?: AbortSignal | undefined;
}

export type Download = (url: string, limits?: DownloadLimits) => Promise<string>;

const MAX_BYTES = 32 * 1024 * 1024;
const LIMIT_MS = 120_000;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Downloads UTF-8 text over https. Plain http is allowed only if `baseUrl` is http, as for a sandbox.
 * It follows no redirects, and no error quotes the URL.
 * @throws PaymentsApiError `rejected` for an unusable URL or a refusal by its host; otherwise as `exchange`.
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
  throw new PaymentsApiError('rejected', `${operation}: ${expected}; received another`);
}

/** A 401 or 403 is about the link, not about our token. */
function refusalOf(operation: string, status: number): PaymentsApiError {
  const code = codeOfStatus(status);
  const isKept = code === 'unavailable' || code === 'rate_limited' || code === 'malformed';
  const message = `${operation}: expected the report; received status ${status}. Request a new link`;
  return new PaymentsApiError(isKept ? code : 'rejected', message, { status });
}

function textOf(operation: string, body: Uint8Array): string {
  try {
    return UTF8.decode(body);
  } catch {
    throw malformed(operation, 'text in UTF-8', 'other bytes'); // The decoder's error adds nothing.
  }
}
