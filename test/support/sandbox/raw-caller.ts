import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { consent } from './caller.js';

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  isComplete: boolean;
}

export interface RawCaller {
  token: string;
  get(path: string): Promise<RawAnswer>;
  post(path: string, body: object): Promise<RawAnswer>;
  open(path: string): Promise<IncomingMessage>;
}

export async function aRawCaller(url: string): Promise<RawCaller> {
  const { access: token } = await consent(url);
  const headers = { authorization: `Bearer ${token}`, 'Service-API-Version': '20260901' };
  const send = (method: string, path: string, body = ''): Promise<IncomingMessage> => {
    const outgoing = request(`${url}${path}`, {
      method,
      agent: false,
      headers: { ...headers, 'content-type': 'application/json' },
    });
    outgoing.end(body);
    return new Promise((resolve, reject) => {
      outgoing.once('response', resolve);
      outgoing.on('error', reject);
    });
  };
  return {
    token,
    open: (path) => send('GET', path),
    get: async (path) => whole(await send('GET', path)),
    post: async (path, body) => whole(await send('POST', path, JSON.stringify(body))),
  };
}

async function whole(response: IncomingMessage): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('error', () => undefined);
  await new Promise((resolve) => response.once('close', resolve));
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks).toString('utf8'),
    isComplete: response.complete,
  };
}
