import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

export async function listen(): Promise<{ server: Server; url: string }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('expected a port');
  return { server, url: `http://127.0.0.1:${address.port}` };
}

const PAUSE_MS = 500;
const Late = z.object({ code: z.enum(['worker_unavailable', 'temporal_unavailable']) });

export async function fetchPatiently(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const answer = await fetch(request.clone());
  if (!(await isLate(answer))) return answer;
  await pause(PAUSE_MS);
  return fetchPatiently(request);
}

const isLate = async (answer: Response): Promise<boolean> =>
  answer.status === 503 &&
  Late.safeParse(
    await answer
      .clone()
      .json()
      .catch(() => undefined),
  ).success;
