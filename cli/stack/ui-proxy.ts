// Stands before the UI of Temporal's development server, which lacks two settings that a UI of its own has: that a browser
// is to send the codec's cookie along, and where an operator signs in. All other requests pass as they are.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const HOST = '127.0.0.1';
const SETTINGS = '/api/v1/settings';
const Settings = z.looseObject({ Codec: z.looseObject({}) });

export interface UiProxy {
  /** Where browsers come. */
  port: number;
  /** Where the UI itself is. */
  behind: number;
  /** Where an operator signs in. */
  signInUrl: string;
}

/** Resolves once browsers may come. @returns what closes it. */
export async function openUiProxy({ port, behind, signInUrl }: UiProxy): Promise<() => void> {
  const server = createServer((requested, answer) => {
    // The settings are read here, so they are not to come compressed.
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

/** The UI's own settings with the two that it lacks. */
function completed(settings: string, signInUrl: string): string {
  const parsed = Settings.parse(JSON.parse(settings));
  const added = {
    IncludeCredentials: true,
    DefaultErrorMessage: 'Sign in to see what is sealed:',
    DefaultErrorLink: signInUrl,
  };
  return JSON.stringify({ ...parsed, Codec: { ...parsed.Codec, ...added } });
}
