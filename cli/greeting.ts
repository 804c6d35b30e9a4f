// What `npm start` says once all is up: where each is, and what to type first.
import { relative } from 'node:path';
import { createApi } from './api/client.js';
import { ensureConsent } from './api/consent.js';
import { agreementCommand, connectionCommand, freshUid, paymentCommand } from './first-commands.js';
import type { Stack } from './stack/bring-up.js';
import type { Wiring } from './stack/wiring.js';

const CONNECTION = 'demo';

/** With the sandbox it first sees to it that there is a connection with consent, as a person would. */
export async function greet(stack: Stack, wiring: Wiring, signal: AbortSignal): Promise<string> {
  const { temporal, sandbox, variables } = wiring;
  const stored = [temporal?.dbFilename, sandbox?.dataFile].flatMap((file) => file ?? []);
  const places = [
    ['API', `${stack.apiUrl}  (its documentation: ${stack.apiUrl}/docs)`],
    ['Sandbox', stack.sandboxUrl ?? `none; the provider is ${variables['PAYMENTS_API_URL'] ?? 'elsewhere'}`],
    ['Temporal UI', stack.temporalUiUrl ?? 'unknown; TEMPORAL_UI_URL says where it is'],
    ['Sealed', sealed(stack, variables)],
    ['Temporal', stack.temporalAddress ?? 'elsewhere'],
    ['Kept in', stored.map((file) => relative(process.cwd(), file)).join(', ') || 'nothing here'],
  ];
  const next = sandbox === undefined ? firstConnection(stack, wiring) : await firstAgreement(stack, signal);
  return [
    '',
    'Everything is up; Ctrl-C stops it.',
    ...places.map(([name, place]) => `  ${String(name).padEnd(12)} ${place}`),
    ...next.flatMap(({ what, command }) => ['', what, `  ${command}`]),
    '',
  ].join('\n');
}

/** An operator who has signed in reads the payloads of workflows in Temporal's UI, in that browser, for an hour. */
function sealed({ signInUrl, apiKey }: Stack, variables: Wiring['variables']): string {
  const key = variables['API_KEYS'] === undefined ? apiKey : 'a key of API_KEYS that may operate';
  return `to read payloads in the UI, sign in at ${signInUrl} with ${key}`;
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
      what: `Connection ${CONNECTION} ${consent}. Start an agreement (the sandbox's payer accepts it):`,
      command: agreementCommand(to, uid, CONNECTION),
    },
    { what: 'Then take a payment under it:', command: paymentCommand(to, uid, freshUid('pay')) },
  ];
}

function firstConnection({ apiUrl, apiKey }: Stack, { variables }: Wiring): NextStep[] {
  const isOurs = variables['API_KEYS'] === undefined;
  const to = { apiUrl, apiKey: isOurs ? apiKey : '$API_KEY' };
  const whose = isOurs ? '' : ' (API_KEYS is set: put one of those keys into $API_KEY)';
  return [
    {
      what: `Begin a connection, and open the answer's authorize_url in a browser to consent${whose}:`,
      command: connectionCommand(to, 'main'),
    },
  ];
}
