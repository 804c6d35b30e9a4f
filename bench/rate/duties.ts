// What the comparison with duties needs besides Temporal: a sandbox that it may call, and a database.
import { join } from 'node:path';
import { mkdir } from 'node:fs/promises';
import { authorizeUrl } from '../../payments-api/authorize-url.js';
import { createOAuth } from '../../payments-api/oauth.js';
import { startProgram } from '../../cli/stack/bring-up.js';
import type { ProcessGroup } from '../../cli/stack/process-group.js';
import { freshWiring, sandboxEnvironment, sandboxUrl, type Wiring } from '../../cli/stack/wiring.js';
import { startPostgres } from '../../postgres-server/start.js';
import { freePort } from '../../temporal-server/free-port.js';
import type { ComparisonPlan } from './comparison-messages.js';
import { prepareSandbox } from './product.js';

export interface DutiesPlan {
  root: string;
  folder: string;
  group: ProcessGroup;
  print: (line: string) => void;
  webhookUrl: string;
}

export interface StartedDuties {
  duties: ComparisonPlan['duties'];
  pids: { postgres: number; sandbox: number };
}

export async function startDuties(plan: DutiesPlan): Promise<StartedDuties> {
  const { root, group, print } = plan;
  const folder = join(plan.folder, 'duties');
  await mkdir(folder);
  const wiring = await freshWiring(folder, {});
  const { encryption_key: encryptionKey, records_owner_password: password } = wiring.secrets;
  const postgres = await startPostgres({ folder: join(folder, 'records'), port: await freePort(), password });
  group.add({ name: 'PostgreSQL', ...postgres });
  const sandbox = await startProgram('sandbox', {
    ...{ wiring, environment: sandboxEnvironment(wiring) },
    surroundings: { group, print, onLine: () => undefined, build: join(root, 'dist') },
  });
  const url = sandboxUrl(wiring) ?? '';
  await prepareSandbox(url, plan.webhookUrl);
  const accessToken = await accessTo(wiring, url);
  return {
    duties: { databaseUrl: postgres.urlOf('postgres'), sandboxUrl: url, accessToken, encryptionKey },
    pids: { postgres: postgres.pid, sandbox: sandbox.pid },
  };
}

/** Consents as a person would. The token never expires. */
async function accessTo(wiring: Wiring, authUrl: string): Promise<string> {
  const environment = sandboxEnvironment(wiring);
  const clientId = environment['SANDBOX_CLIENT_ID'] ?? '';
  const redirectUri = environment['SANDBOX_REDIRECT_URI'] ?? '';
  const scopes = 'pay_to_agreements pay_to_payments offline_access';
  const page = new URL(authorizeUrl({ authUrl, clientId, redirectUri, scopes }, 'bench'));
  const body = new URLSearchParams([...page.searchParams, ['decision', 'allow']]);
  const target = new URL(page.pathname, page);
  const decided = await fetch(target, { method: 'POST', body, redirect: 'manual' });
  const code = new URL(decided.headers.get('location') ?? '', authUrl).searchParams.get('code');
  if (code === null) throw new Error(`expected the sandbox to consent; received status ${decided.status}`);
  const clientSecret = wiring.secrets.oauth_client_secret;
  const tokens = await createOAuth({ authUrl, clientId, clientSecret, redirectUri }).exchangeCode({ code });
  return tokens.accessToken;
}
