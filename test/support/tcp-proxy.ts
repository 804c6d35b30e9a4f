import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { z } from 'zod';

export interface TcpProxy {
  address: string;
  cut(): void;
  mend(): void;
  /** The connections that are open pass no answer on, until the returned function is called. New ones work. */
  silence(): () => void;
  close(): Promise<void>;
}

const Address = z.object({ port: z.int() });

export async function openTcpProxy(to: string): Promise<TcpProxy> {
  const [host = '', port = ''] = to.split(':');
  const ends = new Set<Socket>();
  const pairs = new Set<[near: Socket, far: Socket]>();
  let isCut = false;
  const keep = (end: Socket): void => {
    ends.add(end);
    end.on('error', () => end.destroy());
    end.once('close', () => ends.delete(end));
  };
  const server = createServer((near) => {
    keep(near);
    if (isCut) return void near.destroy();
    const far = connect(Number(port), host);
    keep(far);
    near.pipe(far).pipe(near);
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    near.once('close', () => {
      far.destroy();
      pairs.delete(pair);
    });
    far.once('close', () => near.destroy());
  });
  const hangUp = (): void => {
    for (const end of ends) end.destroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${Address.parse(server.address()).port}`,
    cut: () => {
      isCut = true;
      hangUp();
    },
    mend: () => {
      isCut = false;
    },
    silence: () => {
      const silent = [...pairs];
      for (const [near, far] of silent) far.unpipe(near);
      return () => {
        for (const [near, far] of silent) far.pipe(near);
      };
    },
    close: async () => {
      hangUp();
      server.close();
      await once(server, 'close');
    },
  };
}
