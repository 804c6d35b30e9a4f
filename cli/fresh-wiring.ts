// The whole product on free ports and in a folder of its own: for runs that leave nothing behind.
import getPort from 'get-port';
import { findPackageRoot } from '../tools/temporal/cache.js';
import { dataFolder } from './data-folder.js';
import { newSecrets } from './secrets.js';
import { LOOPBACK, type Wiring } from './wiring.js';
import type { Variables } from './config.js';

export const freePort = (): Promise<number> => getPort({ host: LOOPBACK });

export async function freshWiring(folder: string, variables: Variables): Promise<Wiring> {
  const { temporal, sandbox } = dataFolder(folder);
  return {
    root: findPackageRoot(),
    variables,
    secrets: newSecrets(),
    ports: { api: await freePort(), metrics: 0 },
    temporal: { port: await freePort(), uiPort: await freePort(), dbFilename: temporal },
    sandbox: { port: await freePort(), dataFile: sandbox },
  };
}
