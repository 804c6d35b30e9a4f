import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';

export type Hold = 'before' | 'after' | 'late';

export interface GatedCall {
  method: 'GET' | 'POST';
  ending: string;
  uid: string;
  how: Hold;
}

export interface HttpProxy {
  url: string;
  hold(call: GatedCall): () => boolean;
  release(): void;
  letGo(uid: string): Promise<number>;
  close(): Promise<void>;
}

interface Rule extends GatedCall {
  hasArrived: boolean;
}

interface ReceivedRequest {
  method: string;
  path: string;
  headers: Headers;
  body: Buffer;
}

export async function openHttpProxy(providerUrl: string): Promise<HttpProxy> {
  let rules: Rule[] = [];
  const late = new Map<string, ReceivedRequest>();
  const pass = ({ method, path, headers, body }: ReceivedRequest): Promise<Response> =>
    fetch(`${providerUrl}${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(method === 'GET' ? {} : { body: new Uint8Array(body) }),
    });
  const server = createServer((incoming, outgoing) => {
    const answered = async (): Promise<void> => {
      const request = await read(incoming);
      const rule = rules.find((known) => fits(known, request));
      if (rule?.how === 'late') late.set(rule.uid, request);
      const answer = rule === undefined || rule.how === 'after' ? await pass(request) : undefined;
      const body = await answer?.arrayBuffer();
      if (rule !== undefined) rule.hasArrived = true;
      else if (answer !== undefined && body !== undefined) {
        outgoing.writeHead(answer.status, headersOf(answer)).end(new Uint8Array(body));
      }
    };
    answered().catch(() => outgoing.destroy());
  });
  return {
    url: await listening(server),
    hold: (call) => {
      const rule: Rule = { ...call, hasArrived: false };
      rules = [...rules, rule];
      return () => rule.hasArrived;
    },
    release: () => {
      rules = [];
    },
    letGo: async (uid) => {
      const request = late.get(uid);
      if (request === undefined) throw new Error(`expected a delayed call of ${uid}; found none`);
      return (await pass(request)).status;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const fits = ({ method, ending, uid }: Rule, { method: met, path, body }: ReceivedRequest): boolean =>
  met === method &&
  path.split('?')[0]?.endsWith(ending) === true &&
  `${path} ${body.toString()}`.includes(uid);

async function read(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const { method = '', url = '', headers } = incoming;
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && !OF_THE_HOP.includes(name) ? [[name, value] as [string, string]] : [],
  );
  return { method, path: url, headers: new Headers(kept), body: await buffer(incoming) };
}

const OF_THE_HOP = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'];
const headersOf = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !OF_THE_HOP.includes(name)));

const Address = z.object({ port: z.int() });

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${Address.parse(server.address()).port}`;
}
