import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { inject } from 'vitest';
import { z } from 'zod';
import { createAccess } from '../../activities/tokens/access.js';
import { createActivities, type Activities } from '../../activities/index.js';
import { createReadStop, stopsIn } from '../../activities/temporal/stops.js';
import { createOAuth, type OAuth, type RefreshAnswer } from '../../payments-api/oauth.js';
import { createPaymentsApi, type PaymentsApi } from '../../payments-api/client.js';
import { startSandbox, type RunningSandbox } from '../../sandbox/start.js';
import {
  createBackend,
  type AgreementBody,
  type ApiAnswer,
  type Backend,
  type Connection,
  type PaymentBody,
} from './backend.js';
import { fetchPatiently, listen } from './http.js';
import { publicKeyOf } from '../../sealing/public-key.js';
import { consentAt } from './consents.js';
import { TOKEN_KEYS } from './sealing/keyrings.js';
import { KEYRING, type Temporal } from './temporal.js';
import { openRecords } from '../../records/database.js';
import { recordsUrl, type RecordsSettings } from '../../records/settings.schema.js';
import { listen as listenToRecords } from '../../records/listen.js';
import { NO_PROGRESS } from '../../records/progress.js';
import { createSettlementReports } from '../../records/settlement.js';
import { webhookRows } from '../../worker/webhooks.js';
import { createCreditEntries } from '../../records/credit-entries.js';
import { createFloatEntries } from '../../records/float-entries.js';
import { createInitiatorRows } from '../../records/initiators.js';
import { createSweptRows } from '../../records/swept.js';
import { createRecords } from '../../records/write.js';
import { PATIENT_MS } from './records.js';
import { KEY, SECRET, CLIENT, serveApi, type ConsentSettings } from './serve-api.js';
import type { RecordReader } from '../../records/read.js';
import type { RecordWriter } from '../../domain/records/batch.js';
import type { AuditSettings, CreditSettings, SweepSettings } from '../../activities/dependencies.js';
import type { ApiKey } from '../../api/http/api-keys.js';
import type { Keyring } from '../../sealing/keyring.js';

const Answer = z.looseObject({});
const Resource = z.object({ data: Answer });

export interface Reply {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export interface Road {
  sandbox: RunningSandbox;
  activities: Activities & RecordWriter;
  keyring: Keyring;
  tokenKeys: Keyring;
  issued: readonly string[];
  url: string;
  backend: Backend;
  hastyBackend: Backend;
  get(path: string): Promise<Reply>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>;
  consent(id: string): Promise<ApiAnswer<Connection>>;
  close(): Promise<void>;
}

export interface RoadOver {
  sweep?: Partial<SweepSettings>;
  audit?: Partial<AuditSettings>;
  credits?: Partial<CreditSettings>;
  between?: (payments: PaymentsApi) => PaymentsApi;
  reader?: RecordReader;
  keys?: readonly ApiKey[];
  consent?: ConsentSettings;
  records?: RecordsSettings;
}

export async function openRoad(
  temporal: Pick<Temporal, 'client'>,
  taskQueue: string,
  now = Date.now,
  over: RoadOver = {},
): Promise<Road> {
  const { server, url } = await listen();
  const redirectUri = `${url}/oauth/callback`;
  const sandbox = await startSandbox({
    ...CLIENT,
    redirectUri,
    webhookUrl: `${url}/webhooks`,
    webhookSecret: SECRET,
  });
  const keyring = KEYRING;
  const tokenKeys = TOKEN_KEYS;
  const issued: string[] = [];
  const oauth = overheard(createOAuth({ ...CLIENT, authUrl: sandbox.url, redirectUri }), issued);
  const { between = (real) => real } = over;
  const payments = createPaymentsApi({
    baseUrl: sandbox.url,
    version: '20260901',
    versionHeader: 'Service-API-Version',
  });
  const withAccess = createAccess({ temporal: temporal.client, tokenKeys, now });
  const { records: settings = recordsUrl.parse(inject('recordsUrl')) } = over;
  const records = openRecords(settings, PATIENT_MS);
  const writer = createRecords({ db: records.db, keyring });
  const changes = listenToRecords({
    settings,
    db: records.db,
    onAway: () => undefined,
    progress: NO_PROGRESS,
  });
  const stopping = new AbortController();
  const activities = createActivities({
    records: {
      ...writer,
      ...createSweptRows(records.db),
      ...createInitiatorRows({ db: records.db, keyring }),
      ...createFloatEntries({ db: records.db, keyring }),
      ...createCreditEntries({ db: records.db, keyring }),
      ...createSettlementReports({ db: records.db, keyring }),
      ...webhookRows({ db: records.db, keyring }, 'default', (error) => {
        throw error;
      }),
    },
    webhooks: { allowsPrivate: true, watchAll: changes.watchAll, stopping: stopping.signal },
    payments: between(payments),
    oauth,
    withAccess,
    readStop: createReadStop({ read: stopsIn(temporal.client), now }),
    temporal: temporal.client,
    taskQueue,
    tokenKeys,
    now,
    sweep: { everyMs: 0, adopts: false, paceMs: 0, resumeMs: 0, ...over.sweep },
    audit: { everyMs: 0, webhookUrl: `${url}/webhooks`, ...over.audit },
    settlement: { everyMs: 0 },
    credits: { caseAfterMs: 0, decideWithinMs: 3_600_000, ...over.credits },
    highRisk: { codes: ['7995'], primary: undefined },
  });
  const tokenKey = await publicKeyOf(tokenKeys);
  const kept = { db: records.db, changes, keyring, tokenKey };
  serveApi(server, { temporal, taskQueue, sandbox, redirectUri, ...kept, ...over });

  const backend = createBackend(url, KEY);
  const call = async (path: string, init?: RequestInit): Promise<Reply> => {
    const answer = await fetchPatiently(`${url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${KEY}`, ...init?.headers },
    });
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    const whole = isJson ? Answer.parse(JSON.parse(text)) : { text };
    const resource = Resource.safeParse(whole);
    return {
      status: answer.status,
      headers: answer.headers,
      body: resource.success ? resource.data.data : whole,
    };
  };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    call(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  return {
    sandbox,
    activities: { ...activities, ...writer },
    keyring,
    tokenKeys,
    issued,
    url,
    backend,
    hastyBackend: createBackend(url, KEY, fetch),
    get: (path) => call(path),
    post,
    consent: async (id) => {
      const { data } = await backend.connect(id);
      await consentAt(data?.authorize_url ?? '');
      return backend.connection(id);
    },
    close: async () => {
      stopping.abort();
      await sandbox.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await changes.close();
      await records.close();
    },
  };
}

function overheard(oauth: OAuth, issued: string[]): OAuth {
  const heard = <Answer extends RefreshAnswer>(tokens: Answer): Answer => {
    issued.push(tokens.accessToken, ...(tokens.refreshToken === undefined ? [] : [tokens.refreshToken]));
    return tokens;
  };
  return {
    exchangeCode: async (asked) => heard(await oauth.exchangeCode(asked)),
    refresh: async (asked) => heard(await oauth.refresh(asked)),
  };
}

const aDebtor = (): AgreementBody['debtor'] => ({
  party_name: 'A Payer',
  account_identifier: { type: 'bban', value: `200001-${randomInt(10_000_000, 100_000_000)}` },
});

export const anAgreement = (
  uid = `agr-${randomUUID()}`,
  over: Partial<AgreementBody> = {},
): AgreementBody => ({
  purpose: 'utility',
  description: 'Plan 77',
  debtor: aDebtor(),
  creditor: {
    party_name: 'B Biller',
    ultimate_party_name: 'B Biller',
    account_identifier: { type: 'bban', value: '200002-55550001' },
  },
  uid,
  payment_terms: { type: 'variable', frequency: 'adhoc', max_amount: 25_000 },
  ...over,
});

export const aPayment = (uid = `pay-${randomUUID()}`, over: Partial<PaymentBody> = {}) => ({
  uid,
  amount: 4200,
  reference: 'INV 5',
  description: 'October',
  creditor_reference: 'C-5',
  ...over,
});
