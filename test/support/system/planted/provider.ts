import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';

export interface BadAnswer {
  method: string;
  ending: string;
  containing?: string;
  status: number;
  body: string;
  type?: string;
  times: number;
}

export interface Door {
  port: number;
  answerBadly(answer: BadAnswer): void;
  tokens: readonly string[];
  close(): Promise<void>;
}

const Tokens = z.object({ access_token: z.string(), refresh_token: z.string() });
const Address = z.object({ port: z.int() });
const OF_THE_HOP = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'];

export async function openDoor(providerUrl: () => string): Promise<Door> {
  const [bad, tokens]: [BadAnswer[], string[]] = [[], []];
  const server = createServer((incoming, outgoing) => {
    const answered = async (): Promise<void> => {
      const body = await buffer(incoming);
      const said = bad.find((answer) => answer.times > 0 && fits(answer, incoming, body));
      if (said !== undefined) {
        said.times -= 1;
        outgoing.writeHead(said.status, { 'content-type': said.type ?? 'application/json' }).end(said.body);
        return;
      }
      const { method = 'GET', url = '' } = incoming;
      const answer = await fetch(`${providerUrl()}${url}`, {
        method,
        headers: headersOf(incoming),
        redirect: 'manual',
        ...(method === 'GET' ? {} : { body: new Uint8Array(body) }),
      });
      const text = await answer.text();
      if (answer.ok && url.endsWith('/token')) {
        const { access_token: access, refresh_token: refresh } = Tokens.parse(JSON.parse(text));
        tokens.push(access, refresh);
      }
      const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OF_THE_HOP.includes(name)));
      outgoing.writeHead(answer.status, headers).end(text);
    };
    answered().catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: Address.parse(server.address()).port,
    answerBadly: (answer) => void bad.push({ ...answer }),
    tokens,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const fits = (
  { method, ending, containing = '' }: BadAnswer,
  { method: met, url = '' }: IncomingMessage,
  body: Buffer,
): boolean =>
  met === method &&
  url.split('?')[0]?.endsWith(ending) === true &&
  `${url} ${body.toString()}`.includes(containing);

const headersOf = ({ headers }: IncomingMessage): Headers =>
  new Headers(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && !OF_THE_HOP.includes(name) ? [[name, value] as [string, string]] : [],
    ),
  );
