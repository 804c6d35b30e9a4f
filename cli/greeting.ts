// The output of `npm start` when everything is running: the addresses, and the first commands to try.
import { relative } from 'node:path';
import { LOOPBACK } from '../temporal-server/free-port.js';
import { createApi } from './api/client.js';
import { ensureConsent } from './api/consent.js';
import { agreementCommand, connectionCommand, freshUid, paymentCommand } from './first-commands.js';
import type { Stack } from './stack/bring-up.js';
import type { Wiring } from './stack/wiring.js';

const CONNECTION = 'demo';

/** With the sandbox it first creates a connection and consents, as a merchant would. */
export async function greet(stack: Stack, wiring: Wiring, signal: AbortSignal): Promise<string> {
  const { records, temporal, sandbox, variables } = wiring;
  const stored = [temporal?.dbFilename, sandbox?.dataFile, records?.folder].flatMap((file) => file ?? []);
  const places = [
    ['Console', `${stack.consoleUrl}  (sign in with ${keyOf(stack, variables)})`],
    ['API', `${stack.apiUrl}  (documentation: ${stack.apiUrl}/docs)`],
    ['Sandbox', stack.sandboxUrl ?? `none; the provider is ${variables['PAYMENTS_API_URL'] ?? 'elsewhere'}`],
    ['Temporal UI', stack.temporalUiUrl ?? 'unknown; set TEMPORAL_UI_URL'],
    ['Payloads', sealed(stack, variables)],
    ['Temporal', stack.temporalAddress ?? 'elsewhere'],
    ['PostgreSQL', records === undefined ? 'elsewhere' : `${LOOPBACK}:${records.port}`],
    ['Data', stored.map((file) => relative(process.cwd(), file)).join(', ') || 'none on this machine'],
  ];
  const next = sandbox === undefined ? firstConnection(stack, wiring) : await firstAgreement(stack, signal);
  return [
    '',
    'Everything is running. Press Ctrl-C to stop it.',
    ...places.map(([name, place]) => `  ${String(name).padEnd(12)} ${place}`),
    ...commandLine(stack, wiring).flatMap((line) => ['', line]),
    ...next.flatMap(({ what, command }) => ['', what, `  ${command}`]),
    '',
  ].join('\n');
}

const keyOf = ({ apiKey }: Stack, variables: Wiring['variables']): string =>
  variables['API_KEYS'] === undefined ? apiKey : 'a key of API_KEYS';

/** After signing in, an operator's browser shows decrypted workflow payloads in Temporal's UI for an hour. */
function sealed({ signInUrl, apiKey }: Stack, variables: Wiring['variables']): string {
  const key = variables['API_KEYS'] === undefined ? apiKey : 'a key of API_KEYS with the operate scope';
  return `encrypted; to read them in the UI, sign in at ${signInUrl} with ${key}`;
}

/** What `payto` needs in another terminal. */
function commandLine({ apiUrl, apiKey, consoleUrl, sandboxUrl }: Stack, { variables }: Wiring): string[] {
  const key = variables['API_KEYS'] === undefined ? apiKey : '<a key of API_KEYS>';
  const sandbox = sandboxUrl === undefined ? '' : ` PAYTO_SANDBOX_URL=${sandboxUrl}`;
  return [
    `For \`npm run payto\`:  export PAYTO_URL=${apiUrl} PAYTO_API_KEY=${key} PAYTO_CONSOLE_URL=${consoleUrl}${sandbox}`,
  ];
}

interface NextStep {
  what: string;
  command: string;
}

async function firstAgreement({ apiUrl, apiKey }: Stack, signal: AbortSignal): Promise<NextStep[]> {
  const consent = await ensureConsent(createApi(apiUrl, apiKey, signal), CONNECTION);
  const uid = freshUid('agr');
  const to = { apiUrl, apiKey };
  return [
    {
      what: `Connection ${CONNECTION} ${consent}. Create an agreement (the sandbox's payer accepts it):`,
      command: agreementCommand(to, uid, CONNECTION),
    },
    { what: 'Then request a payment under it:', command: paymentCommand(to, uid, freshUid('pay')) },
  ];
}

function firstConnection({ apiUrl, apiKey }: Stack, { variables }: Wiring): NextStep[] {
  const isOurs = variables['API_KEYS'] === undefined;
  const to = { apiUrl, apiKey: isOurs ? apiKey : '$API_KEY' };
  const whose = isOurs ? '' : ' (API_KEYS is set: set $API_KEY to one of those keys)';
  return [
    {
      what: `Create a connection, and open the returned authorize_url in a browser to consent${whose}:`,
      command: connectionCommand(to, 'main'),
    },
  ];
}
