// A proxy for the UI of Temporal's development server, which lacks two settings of a standalone UI: that the browser sends
// the codec's cookie, and where an operator signs in. All other requests pass unchanged.
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const HOST = '127.0.0.1';
const SETTINGS = '/api/v1/settings';
const Settings = z.looseObject({ Codec: z.looseObject({}) });

export interface UiProxy {
  /** The port for browsers. */
  port: number;
  /** The port of the UI itself. */
  behind: number;
  /** Where an operator signs in. */
  signInUrl: string;
}

/** Resolves when the proxy accepts connections. @returns a function that closes it. */
export async function openUiProxy({ port, behind, signInUrl }: UiProxy): Promise<() => void> {
  const server = createServer((requested, answer) => {
    // We parse the settings, so they must not be compressed.
    const headers = isForSettings(requested)
      ? { ...requested.headers, 'accept-encoding': 'identity' }
      : requested.headers;
    const passed = request({
      host: HOST,
      port: behind,
      method: requested.method,
      path: requested.url,
      headers,
    });
    passed.once('response', (given) => void passOn(requested, given, answer).catch(() => answer.destroy()));
    passed.once('error', () => answer.destroy());
    answer.once('close', () => passed.destroy());
    requested.pipe(passed);
  });
  async function passOn(
    requested: IncomingMessage,
    given: IncomingMessage,
    answer: ServerResponse,
  ): Promise<void> {
    if (isForSettings(requested) && given.statusCode === 200) {
      answer.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      answer.end(completed(await text(given), signInUrl));
      return;
    }
    answer.writeHead(given.statusCode ?? 502, given.headers);
    given.pipe(answer);
  }
  server.listen(port, HOST);
  await once(server, 'listening');
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

const isForSettings = ({ url }: IncomingMessage): boolean => url?.split('?')[0] === SETTINGS;

/** The UI's own settings plus the two missing ones. */
function completed(settings: string, signInUrl: string): string {
  const parsed = Settings.parse(JSON.parse(settings));
  const added = {
    IncludeCredentials: true,
    DefaultErrorMessage: 'Sign in to decrypt payloads:',
    DefaultErrorLink: signInUrl,
  };
  return JSON.stringify({ ...parsed, Codec: { ...parsed.Codec, ...added } });
}
