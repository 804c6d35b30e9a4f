import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { z } from 'zod';
import type { Socket } from 'node:net';

export interface Line {
  address: string;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

const Address = z.object({ port: z.int() });

export async function openLine(to: string): Promise<Line> {
  const [host = '', port = ''] = to.split(':');
  const ends = new Set<Socket>();
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
    near.once('close', () => far.destroy());
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
    close: async () => {
      hangUp();
      server.close();
      await once(server, 'close');
    },
  };
}
