import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

const EACH_WAY_MS = 600;
const Pair = z.object({ refresh_token: z.string() });
const Address = z.object({ port: z.int() });

export interface TokenWatch {
  url: string;
  counts: {
    /** Renewals that were begun. */
    calls: number;
    overlaps: number;
    /** Whoever asked was gone before the server heard of it, */
    unsent: number;
    /** or when its answer came. */
    unread: number;
  };
  close(): Promise<void>;
}

/** @param authUrl to which everything goes. */
export async function openTokenWatch(authUrl: string): Promise<TokenWatch> {
  const counts = { calls: 0, overlaps: 0, unsent: 0, unread: 0 };
  /** Which grant a refresh token is of, by the refresh token that its first pair had. */
  const grants = new Map<string, string>();
  const underWay = new Map<string, number>();
  const during = async (grant: string, work: () => Promise<void>) => {
    const others = underWay.get(grant) ?? 0;
    if (others > 0) counts.overlaps += 1;
    underWay.set(grant, others + 1);
    await work().finally(() => underWay.set(grant, (underWay.get(grant) ?? 1) - 1));
  };
  const server = createServer((incoming, outgoing) => {
    const passed = async (): Promise<void> => {
      const body = await text(incoming);
      const spent = new URLSearchParams(body).get('refresh_token');
      const grant = spent === null ? undefined : (grants.get(spent) ?? spent);
      const pass = async (): Promise<void> => {
        await pause(EACH_WAY_MS);
        if (outgoing.destroyed) return void (counts.unsent += spent === null ? 0 : 1);
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const answer = await fetch(`${authUrl}${incoming.url ?? ''}`, { method: 'POST', headers, body });
        const said = await answer.text();
        const pair = Pair.safeParse(answer.ok ? JSON.parse(said) : undefined);
        if (pair.success) grants.set(pair.data.refresh_token, grant ?? pair.data.refresh_token);
        await pause(EACH_WAY_MS);
        if (outgoing.destroyed) counts.unread += spent === null ? 0 : 1;
        outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(said);
      };
      if (grant === undefined) return pass();
      counts.calls += 1;
      return during(grant, pass);
    };
    passed().catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${Address.parse(server.address()).port}`,
    counts,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
