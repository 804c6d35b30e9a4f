// The whole product with the sandbox, on free ports and in a temporary folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApi } from '../../cli/api/client.js';
import { ensureConsent } from '../../cli/api/consent.js';
import { bringUp } from '../../cli/stack/bring-up.js';
import { createProcessGroup, onInterrupt } from '../../cli/stack/process-group.js';
import { freshWiring } from '../../cli/stack/wiring.js';
import type { Variables } from '../../cli/config.js';

export const CONNECTION = 'clients';
/** The sandbox's only float account. */
const FLOAT_ACCOUNT = '0195f1f0-7a11-7c00-8a00-f10a7acc0001';

export interface Product {
  apiUrl: string;
  apiKey: string;
  /** What a program needs to use the product. */
  environment: Record<string, string>;
  /** The result of the work. Throws if a process of the product ends first. */
  guard: <Result>(work: Promise<Result>) => Promise<Result>;
  stop(): Promise<void>;
}

/** Starts it with a connection that has consent. @param onLine receives what the processes print. */
export async function startProduct(
  print: (line: string) => void,
  settings: Variables = {},
  onLine: (line: string) => void = () => undefined,
): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), 'payto-clients-'));
  const group = createProcessGroup(print, { isTerse: true });
  onInterrupt(group);
  const stop = async (): Promise<void> => {
    await group.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const wiring = await freshWiring(folder, settings);
    const { apiUrl, apiKey } = await bringUp(wiring, {
      group,
      print,
      onLine: (name, line) => onLine(`${name} | ${line}`),
    });
    await group.guard(ensureConsent(createApi(apiUrl, apiKey, group.signal), CONNECTION));
    const environment = {
      PAYTO_URL: apiUrl,
      PAYTO_API_KEY: apiKey,
      PAYTO_CONNECTION: CONNECTION,
      PAYTO_FLOAT_ACCOUNT: FLOAT_ACCOUNT,
    };
    return { apiUrl, apiKey, environment, guard: group.guard, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
