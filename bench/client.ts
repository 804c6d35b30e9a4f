// `npm run bench:client`: the CPU time of our provider client compared with a bare `fetch` and `response.json()` of the same
// URLs, the time to read a long history, and the memory for an answer of 1 GiB. The limit covers the four calls of the mix
// together, in equal numbers; each is also shown. Lists in the mix have the provider's default of 20 entries per page.
// Full pages of 100 are shown without a limit, because reading an entry has its own limit. Exits with 1 above a limit.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { execa } from 'execa';
import { createPaymentsApi, type PaymentsApi } from '../payments-api/client.js';
import { PaymentsApiError } from '../payments-api/errors.js';
import { compare, cpuOf, type Comparison, type Work } from './client/cpu.js';
import { verdict } from './figures.js';

const MIB = 2 ** 20;
const LIMITS = { ratio: 1.25, historyEntries: 10_000, historyMs: 1000, growthBytes: 20 * MIB };
const ROUNDS = 60;
const VERSION = '20260901';
const VERSION_HEADER = 'Service-API-Version';
const CALL = { accessToken: 'an-access-token-of-the-usual-length-of-43-ch' };
const NEW_AGREEMENT = {
  uid: 'agr-1',
  purpose: 'utility',
  description: 'Plan 77',
  debtor: { party_name: 'A Payer', account_identifier: { type: 'bban', value: '200001-12340001' } },
  creditor: { party_name: 'B Biller', account_identifier: { type: 'bban', value: '200002-55550001' } },
  payment_terms: { type: 'variable', frequency: 'monthly', max_amount: 25_000 },
};

interface Row {
  what: string;
  path: string;
  body?: object;
  ours: (api: PaymentsApi) => Promise<unknown>;
  calls: number;
  isInMix: boolean;
}

const listed = async (api: PaymentsApi, perPage: number): Promise<void> => {
  let uids = 0;
  for await (const { uid } of api.listAgreements({ perPage }, CALL)) uids += Number(uid !== '');
  if (uids !== perPage) throw new Error(`expected ${perPage} agreements; received ${uids}`);
};

const LIST = '/payto/agreements?per_page=';
const history = (uid: string): string => `/payto/agreements/${uid}/history?per_page=100`;
// prettier-ignore
const ROWS: readonly Row[] = [
  { what: 'get an agreement', path: '/payto/agreements/agr-1', ours: (api) => api.getAgreement('agr-1', CALL), calls: 40, isInMix: true },
  { what: 'list a page of 20 agreements', path: `${LIST}20`, ours: (api) => listed(api, 20), calls: 40, isInMix: true },
  { what: 'read a history of 20 entries', path: history('agr-20'), ours: (api) => api.getAgreementHistory('agr-20', CALL), calls: 40, isInMix: true },
  { what: 'create an agreement', path: '/payto/agreements', body: NEW_AGREEMENT, ours: (api) => api.createAgreement(NEW_AGREEMENT, CALL), calls: 40, isInMix: true },
  { what: 'list a page of 100 agreements', path: `${LIST}100`, ours: (api) => listed(api, 100), calls: 10, isInMix: false },
  { what: 'read a history of 100 entries', path: history('agr-100'), ours: (api) => api.getAgreementHistory('agr-100', CALL), calls: 10, isInMix: false },
];

const provider = execa('node', ['--import', 'tsx', join(import.meta.dirname, 'client', 'provider.ts')], {
  stdin: 'pipe',
  stderr: 'inherit',
});
try {
  const baseUrl = String(await once(createInterface(provider.stdout), 'line'));
  const api = createPaymentsApi({ baseUrl, version: VERSION, versionHeader: VERSION_HEADER });
  await judgeGivingUp(api, baseUrl);
  await judgeReading(api);
  await judgeCalls(api, baseUrl);
} finally {
  provider.stdin.end();
  await provider;
}

/** The worst of several answers, one at a time. */
async function judgeGivingUp(api: PaymentsApi, baseUrl: string): Promise<void> {
  for (let call = 0; call < 100; call += 1) await api.getAgreement('agr-1', CALL);
  for (const uid of ['giant', 'packed-giant']) {
    let growth = 0;
    for (let time = 0; time < 10; time += 1)
      growth = Math.max(growth, await growthDuring(() => giveUp(api, uid)));
    const sent = uid === 'giant' ? `, ${inMib(await sentOf(baseUrl))} of it sent` : ', packed';
    console.log(
      `${verdict(growth < LIMITS.growthBytes)} 1 GiB${sent}, aborted at 1 MiB: memory grew by ${inMib(growth)}, limit ${inMib(LIMITS.growthBytes)}`,
    );
  }
}

async function giveUp(api: PaymentsApi, uid: string): Promise<void> {
  const met: unknown = await api.getAgreement(uid, CALL).catch((error: unknown) => error);
  const isExpected =
    met instanceof PaymentsApiError && met.code === 'malformed' && met.message.includes('1 MiB');
  if (!isExpected) throw new Error(`expected to abort at 1 MiB; received ${String(met)}`);
}

async function sentOf(baseUrl: string): Promise<number> {
  return Number(await (await fetch(`${baseUrl}/sent`)).text());
}

/** The peak growth of heap and external memory. (The system's figure depends on V8's own decisions.) */
async function growthDuring(work: Work): Promise<number> {
  const before = memoryInUse();
  let worst = before;
  const watch = setInterval(() => (worst = Math.max(worst, memoryInUse())), 1);
  await work();
  clearInterval(watch);
  return Math.max(worst, memoryInUse()) - before;
}

function memoryInUse(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function judgeReading(api: PaymentsApi): Promise<void> {
  let entries = 0;
  const cpuUs = await cpuOf(async () => {
    while (entries < LIMITS.historyEntries)
      entries += (await api.getAgreementHistory('agr-long', CALL)).length;
  });
  const ms = Math.round(cpuUs / 1000);
  const isWithin = ms < LIMITS.historyMs;
  console.log(
    `${verdict(isWithin)} ${entries} history entries read in ${ms} ms of CPU, limit ${LIMITS.historyMs} ms`,
  );
}

async function judgeCalls(api: PaymentsApi, baseUrl: string): Promise<void> {
  console.log(`     CPU per call, in µs; median of ${ROUNDS} rounds  ours    bare   ratio  limit`);
  const mix = { oursUs: 0, bareUs: 0 };
  for (const { what, path, body, ours, calls, isInMix } of ROWS) {
    const bare = bareCall(`${baseUrl}${path}`, body);
    const measured = await compare(() => ours(api), bare, { rounds: ROUNDS, calls });
    console.log(rowOf('    ', what, measured));
    if (!isInMix) continue;
    mix.oursUs += measured.oursUs;
    mix.bareUs += measured.bareUs;
  }
  const ratio = mix.oursUs / mix.bareUs;
  const how = verdict(ratio <= LIMITS.ratio);
  console.log(rowOf(how, 'the mix: the first four, once each', { ...mix, ratio }, LIMITS.ratio));
}

/** The obvious code for a caller who needs only the JSON. */
function bareCall(url: string, body?: object): Work {
  const headers = {
    authorization: `Bearer ${CALL.accessToken}`,
    [VERSION_HEADER]: VERSION,
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return async () => {
    const method = body === undefined ? 'GET' : 'POST';
    const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return response.json();
  };
}

function rowOf(how: string, what: string, { oursUs, bareUs, ratio }: Comparison, most?: number): string {
  const figures = [
    oursUs.toFixed(0).padStart(6),
    bareUs.toFixed(0).padStart(7),
    ratio.toFixed(2).padStart(7),
  ];
  return [how, what.padEnd(44), ...figures, String(most ?? '').padStart(6)].join(' ').trimEnd();
}

function inMib(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}
